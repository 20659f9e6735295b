//! An application that hosts Python tools: it loads a folder, describes the tools, and calls one.

use pegboard::{Call, Host};

#[tokio::main]
async fn main() -> pegboard::Result<()> {
    let host = Host::builder().source("examples/intel").build().await?;
    for tool in host.tools() {
        println!("{}: {}", tool.name, tool.description);
    }
    let outcome = host
        .call(Call::new("lookup_indicator", r#"{"indicator":"198.51.100.7"}"#))
        .await?;
    println!("{}", outcome.text());
    host.close().await;
    Ok(())
}
