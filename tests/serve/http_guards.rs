//! Tests who may ask: names and origins against foreign web pages, the token, and the refusals at the start.

use crate::http_server::{Server, json};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use pegboard::serve::http::{HttpSettings, Token, bind};
use reqwest::Method;
use serde_json::json as object;
use sha2::{Digest as _, Sha256};

const PATHS: [&str; 6] = [
    "/",
    "/api/tools",
    "/api/health",
    "/openapi.json",
    "/metrics",
    "/nowhere",
];

async fn refused(server: &Server, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut request = server.request(Method::GET, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (status, answer) = json(request.send().await.unwrap()).await;
    (status, answer["error"]["code"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_foreign_name_is_refused_everywhere() {
    let server = Server::start().await;
    for host in ["evil.example", "evil.example:80", "192.0.2.1", "localhost.evil.example"] {
        for path in PATHS {
            let refusal = refused(&server, path, &[("host", host)]).await;
            assert_eq!(refusal, (403, "host_not_allowed".to_owned()), "{host} {path}");
        }
    }
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1:9", "127.1.2.3", "[::1]:8080"] {
        let response = server
            .request(Method::GET, "/api/health")
            .header("host", host)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200, "{host}");
    }
}

#[tokio::test]
async fn a_foreign_page_is_refused_everywhere() {
    let server = Server::start().await;
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "file://",
        "not an origin",
    ] {
        for path in PATHS {
            let refusal = refused(&server, path, &[("origin", origin)]).await;
            assert_eq!(refusal, (403, "origin_not_allowed".to_owned()), "{origin} {path}");
        }
    }
    let own = format!("http://{}", server.address);
    let response = server
        .request(Method::GET, "/api/health")
        .header("origin", own)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert!(!response.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn a_token_is_demanded_of_everything_but_the_page() {
    let server = Server::start_with_token("a-secret").await;
    for path in &PATHS[1..] {
        for headers in [
            &[][..],
            &[("authorization", "Bearer another")],
            &[("authorization", "Bearer a-secre")],
            &[("authorization", "Basic a-secret")],
            &[("authorization", "a-secret")],
        ] {
            let refusal = refused(&server, path, headers).await;
            assert_eq!(refusal, (401, "unauthorized".to_owned()), "{path} {headers:?}");
        }
    }
    assert_eq!(server.get("/").await.status(), 200);
    let response = server.get("/api/tools").await;
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
    for written in ["Bearer a-secret", "bearer a-secret"] {
        let request = server
            .request(Method::GET, "/api/tools")
            .header("authorization", written);
        assert_eq!(request.send().await.unwrap().status(), 200, "{written}");
    }
}

#[tokio::test]
async fn other_machines_are_let_in_only_with_a_token() {
    let address = "0.0.0.0:0".to_owned();
    let refusal = bind(HttpSettings {
        address: address.clone(),
        ..HttpSettings::default()
    })
    .unwrap_err();
    assert_eq!(refusal.code(), "setting");
    let told = refusal.to_string();
    for part in ["0.0.0.0", "--token", "PEGBOARD_TOKEN", "127.0.0.1"] {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
    let token = Some(Token::new("a-secret").unwrap());
    let door = bind(HttpSettings {
        address,
        token,
        ..HttpSettings::default()
    })
    .unwrap();
    assert_ne!(door.address().port(), 0);
}

#[tokio::test]
async fn a_place_that_cannot_be_listened_on_is_told() {
    let server = Server::start().await;
    for address in [server.address.to_string(), "no address".to_owned()] {
        let refusal = bind(HttpSettings {
            address: address.clone(),
            ..HttpSettings::default()
        })
        .unwrap_err();
        assert_eq!(refusal.code(), "setting");
        assert!(refusal.to_string().contains(&address), "{refusal}");
    }
}

#[tokio::test]
async fn the_page_may_do_nothing_but_ask_this_server() {
    let server = Server::start().await;
    let response = server.get("/").await;
    let policy = response.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(
        policy.contains("connect-src 'self'") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    let page = response.text().await.unwrap();
    for element in ["script", "style"] {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let (_, rest) = page.split_once(&open).unwrap();
        let digest = BASE64_STANDARD.encode(Sha256::digest(rest.split_once(&close).unwrap().0));
        assert!(policy.contains(&format!("{element}-src 'sha256-{digest}'")), "{policy}");
        assert_eq!(page.matches(&format!("<{element}")).count(), 1);
    }
    // What the policy would keep from running or loading.
    for part in [" onclick=", " style=", " src=", " href=", "innerHTML", "eval("] {
        assert!(!page.contains(part), "{part} stands in the page");
    }
}

#[tokio::test]
async fn a_body_that_is_no_json_text_is_refused() {
    let server = Server::start().await;
    let request = || server.request(Method::POST, "/api/tools/greet/call");
    let (status, answer) = json(
        request()
            .header("content-type", "text/plain")
            .body("{}")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (415, &object!("media_type_not_json"))
    );
    let typed = request().header("content-type", "application/json; charset=utf-8");
    let (status, answer) = json(typed.body(b"{\"name\": \"\xff\"}".to_vec()).send().await.unwrap()).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &object!("body_not_utf8")));
}
