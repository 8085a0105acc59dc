//! Signs a PDF with the client of progenitor, in the four steps: `sign-first URL INPUT OUTPUT`.

use futures::TryStreamExt;
use serde_json::json;
use sinete_client::{Client, types};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, url, input, output] = words.as_slice() else {
        return Err("Give URL, INPUT and OUTPUT.".into());
    };
    // The client's own default ends a request after 15 seconds; a query waits longer.
    let http = reqwest::Client::builder().no_proxy().build()?;
    let client = Client::new_with_client(url, http);

    let request: types::CreateTransaction =
        serde_json::from_value(json!({ "type": "PAdES", "documents_source": "UPLOAD_REFERENCE" }))?;
    let tcn = client.create_transaction(None, None, None, &request).await?.into_inner().tcn.to_string();

    let end = types::UploadToOnlySettingDocumentId::try_from("eot")?;
    client.upload_to_only_setting(&tcn, end, std::fs::read(input)?).await?;

    let transaction = client.query_transaction(&tcn, None, None, Some(60)).await?.into_inner();
    let document = transaction.documents.first().ok_or("There is no document.")?;
    if document.status.to_string() != "SIGNED" {
        return Err(format!("The document is {}.", document.status).into());
    }

    let parts: Vec<_> = client.download_document(&tcn, &document.id).await?.into_inner_stream().try_collect().await?;
    std::fs::write(output, parts.concat())?;
    Ok(())
}
