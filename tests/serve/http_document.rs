//! Tests that the `OpenAPI` document describes the server: its real tools, and the answers that it really gives.

use crate::http_server::{Server, json};
use reqwest::Method;
use serde_json::{Value, json as object};

/// The answer's schema in the document, as a schema of its own.
fn schema(document: &Value, path: &str, method: &str, status: u16) -> Value {
    let mut response = &document["paths"][path][method]["responses"][status.to_string()];
    if let Some(reference) = response["$ref"].as_str() {
        response = document.pointer(&reference[1..]).unwrap();
    }
    let mut schema = response["content"]["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{method} {path} may not answer with {status}");
    schema["components"] = document["components"].clone();
    close(&mut schema);
    schema
}

/// The schema with every object closed to what it does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(close),
        Value::Object(keywords) => {
            keywords.values_mut().for_each(close);
            if keywords.get("properties").is_some_and(Value::is_object) && keywords.contains_key("required") {
                keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        _ => {}
    }
}

fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    validator
        .iter_errors(value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect()
}

#[tokio::test]
async fn every_answer_is_as_the_document_says() {
    let token = "a-secret";
    let server = Server::start_with_token(token).await;
    let ask = async |method: Method, path: &str, body: Option<&str>, with_token: bool| {
        let mut request = server.request(method, path);
        if with_token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_owned());
        }
        request.send().await.unwrap()
    };
    let (_, document) = json(ask(Method::GET, "/openapi.json", None, true).await).await;
    assert_eq!(document["openapi"], "3.1.0");
    for (path, described, body, with_token, expected) in [
        ("/api/tools", "/api/tools", None, true, 200),
        ("/api/tools", "/api/tools", None, false, 401),
        ("/api/tools/add", "/api/tools/{name}", None, true, 200),
        ("/api/tools/ad", "/api/tools/{name}", None, true, 404),
        ("/api/tools/%FF", "/api/tools/{name}", None, true, 400),
        ("/api/health", "/api/health", None, true, 200),
        ("/openapi.json", "/openapi.json", None, true, 200),
        (
            "/api/tools/add/call",
            "/api/tools/{name}/call",
            Some(r#"{"a": 1, "b": 2}"#),
            true,
            200,
        ),
        (
            "/api/tools/add/call",
            "/api/tools/add/call",
            Some(r#"{"a": "x"}"#),
            true,
            200,
        ),
        ("/api/tools/add/call", "/api/tools/add/call", Some("["), true, 200),
        ("/api/tools/add/call", "/api/tools/add/call", Some("{}"), false, 401),
        (
            "/api/tools/fail/call",
            "/api/tools/fail/call",
            Some(r#"{"message": "m"}"#),
            true,
            200,
        ),
        (
            "/api/tools/abort/call",
            "/api/tools/abort/call",
            Some(r#"{"message": "m"}"#),
            true,
            500,
        ),
        ("/api/tools/abort/call", "/api/tools/abort/call", Some("[]"), true, 422),
        (
            "/api/tools/long/call",
            "/api/tools/long/call",
            Some(r#"{"characters": 40000}"#),
            true,
            200,
        ),
        (
            "/api/tools/picture/call",
            "/api/tools/picture/call",
            Some("{}"),
            true,
            200,
        ),
        (
            "/api/tools/nothing/call",
            "/api/tools/{name}/call",
            Some("{}"),
            true,
            404,
        ),
    ] {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let name = method.as_str().to_ascii_lowercase();
        let (status, answer) = json(ask(method, path, body, with_token).await).await;
        assert_eq!(status, expected, "{name} {path}: {answer}");
        let problems = problems(&schema(&document, described, &name, status), &answer);
        assert!(problems.is_empty(), "{name} {path}: {problems:?} in {answer}");
    }
}

#[tokio::test]
async fn each_tool_is_described_with_its_own_arguments() {
    let server = Server::start().await;
    let (_, document) = json(server.get("/openapi.json").await).await;
    let arguments = |path: &str| {
        let mut schema =
            document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"].clone();
        schema["components"] = document["components"].clone();
        schema
    };
    let add = arguments("/api/tools/add/call");
    assert!(problems(&add, &object!({"a": 1, "b": 2})).is_empty());
    assert!(!problems(&add, &object!({"a": 1, "b": "two"})).is_empty());
    // A schema that refers to parts of its own, which refer to themselves.
    let depth = arguments("/api/tools/depth/call");
    let tree = |leaf: Value| object!({"tree": {"name": "a", "children": [{"name": "b", "children": [leaf]}]}});
    assert!(problems(&depth, &tree(object!({"name": "c"}))).is_empty());
    assert!(!problems(&depth, &tree(object!({"name": 3}))).is_empty());
    let odd = &document["paths"]["/api/tools/odd%20name%2F%C3%BC/call"]["post"];
    assert_eq!(odd["summary"], "Call odd name/ü");
    assert_eq!(odd["description"], "Have a name that a path cannot hold as it is.");
}
