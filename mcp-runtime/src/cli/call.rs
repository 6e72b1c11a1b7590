use std::process::ExitCode;

use serde_json::{Map, Value};

use super::output::print;
use crate::client::{Client, ClientError};
use crate::protocol::{ContentBlock, Tool};

/// Calls a tool with arguments from the command line and prints its result.
pub(super) async fn run(
    client: &Client,
    name: &str,
    words: &[String],
    dry_run: bool,
) -> Result<ExitCode, ClientError> {
    let tools = client.list_tools().await?;
    let tool = tools.iter().find(|tool| tool.name == name);
    let arguments = match parse_arguments(words, tool) {
        Ok(arguments) => arguments,
        Err(word) => {
            eprintln!("error: `{word}` is neither `key=value` nor a JSON object");
            return Ok(ExitCode::FAILURE);
        }
    };
    let result = match dry_run {
        true => client.dry_run(name, arguments).await?,
        false => client.call_tool(name, arguments).await?,
    };
    for block in &result.content {
        match block {
            ContentBlock::Text(content) if result.is_error => eprintln!("{}", content.text),
            ContentBlock::Text(content) => print(&content.text),
            block => print(&serde_json::to_string(block)?),
        }
    }
    Ok(if result.is_error {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Parses the arguments of a call.
///
/// # Errors
/// Returns the first word that does not have the form `key=value`.
fn parse_arguments<'a>(words: &'a [String], tool: Option<&Tool>) -> Result<Value, &'a str> {
    if let [word] = words
        && let Ok(Value::Object(object)) = serde_json::from_str(word)
    {
        return Ok(Value::Object(object));
    }
    let pairs = words.iter().map(|word| match word.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), parse_value(name, value, tool))),
        None => Err(word.as_str()),
    });
    pairs.collect::<Result<Map<_, _>, _>>().map(Value::Object)
}

/// Parses a value as JSON if possible. Returns a string if the value is not JSON, or if the schema
/// of the argument has the type `string`.
fn parse_value(name: &str, value: &str, tool: Option<&Tool>) -> Value {
    let schema_type = tool.map(|tool| &tool.input_schema["properties"][name]["type"]);
    let text = || Value::String(value.to_owned());
    if schema_type.is_some_and(|schema_type| schema_type == "string") {
        return text();
    }
    serde_json::from_str(value).unwrap_or_else(|_| text())
}
