//! What is too long for the model is kept whole in a private file, and the model sees both ends and the place.

use crate::{Setup, json_value, raised, string_value};
use crate::{shape_failure, shape_value};
use pegboard::output::Shaped;
use pegboard::{Content, FailureStyle, Structured};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

fn place() -> TempDir {
    TempDir::new().expect("a temporary folder can be made")
}

fn shaped(text: &str, place: &TempDir) -> Shaped {
    shape_value(
        string_value(text),
        &Setup::offloading(FailureStyle::Json, place.path()).facts(),
    )
}

fn file_of(shaped: &Shaped) -> PathBuf {
    let offload = shaped.offload.as_ref().expect("the text was offloaded");
    offload.path.clone().expect("the file was written")
}

fn numbered_lines(count: usize) -> String {
    let lines: Vec<String> = (0..count).map(|number| format!("{number:09}")).collect();
    lines.join("\n")
}

#[test]
fn shows_both_ends_around_the_line_that_says_what_is_missing() {
    let place = place();
    let text = numbered_lines(4000);
    let shaped = shaped(&text, &place);
    let path = file_of(&shaped);
    assert_eq!(path, place.path().join(".pegboard/tool-output/call_1.txt"));
    assert_eq!(
        shaped.text,
        format!(
            "{}\n\n... [999 lines truncated — full output saved to {}] ...\n\n{}",
            &text[..15_000],
            path.display(),
            &text[text.len() - 15_000..]
        )
    );
    assert_eq!(fs::read_to_string(path).expect("the file can be read"), text);
    assert_eq!(shaped.offload.map(|offload| offload.characters), Some(39_999));
    assert_eq!(shaped.structured, Structured::TextIsValue);
}

#[test]
fn counts_characters_where_no_line_ends_in_the_middle() {
    let place = place();
    let shaped = shaped(&format!("{}TAIL", "A".repeat(500_000)), &place);
    let marker = format!(
        "\n\n... [470004 characters truncated — full output saved to {}] ...\n\n",
        file_of(&shaped).display()
    );
    assert!(shaped.text.contains(&marker), "no such line as {marker:?}");
    assert!(shaped.text.ends_with("ATAIL"));
    assert_eq!(shaped.text.chars().count(), 30_000 + marker.chars().count());
}

#[test]
fn offloads_strictly_above_the_limit_and_only_what_gets_shorter() {
    let place = place();
    for count in [29_999, 30_000, 30_001, 30_060] {
        let text = "😀".repeat(count);
        let shaped = shaped(&text, &place);
        assert_eq!((shaped.text, shaped.offload), (text, None), "{count} characters");
    }
    let folder = place.path().join(".pegboard/tool-output");
    assert_eq!(
        fs::read_dir(folder).expect("the folder exists").count(),
        0,
        "a file was left behind"
    );
    let shaped = shaped(&"😀".repeat(30_500), &place);
    assert!(shaped.text.chars().count() < 30_500);
    assert_eq!(
        fs::read_to_string(file_of(&shaped)).expect("the file can be read"),
        "😀".repeat(30_500)
    );
}

#[test]
fn white_space_is_never_offloaded() {
    let place = place();
    let text = " \n".repeat(50_000);
    assert_eq!(shaped(&text, &place).text, text);
}

#[test]
fn never_overwrites_and_never_leaves_the_folder() {
    let place = place();
    let mut call = Setup::offloading(FailureStyle::Json, place.path());
    call.call_id = "../../x".to_owned();
    let names: Vec<String> = ["a", "b", "c"]
        .map(|letter| {
            let shaped = shape_value(string_value(letter.repeat(40_000)), &call.facts());
            let path = file_of(&shaped);
            assert_eq!(
                fs::read_to_string(&path).expect("the file can be read"),
                letter.repeat(40_000)
            );
            path.strip_prefix(place.path().join(".pegboard/tool-output"))
                .expect("the file is in its folder")
                .to_string_lossy()
                .into_owned()
        })
        .into();
    assert_eq!(names, ["______x.txt", "______x-1.txt", "______x-2.txt"]);
}

#[cfg(unix)]
#[test]
fn files_and_folders_are_private() {
    use std::os::unix::fs::PermissionsExt;

    let place = place();
    let path = file_of(&shaped(&"x".repeat(40_000), &place));
    let mode = |path: &std::path::Path| fs::metadata(path).expect("it exists").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().expect("a file has a folder")), 0o700);
}

#[test]
fn says_so_where_the_file_cannot_be_written() {
    let place = place();
    fs::write(place.path().join(".pegboard"), "in the way").expect("the folder can be written");
    let shaped = shaped(&numbered_lines(4000), &place);
    let offload = shaped.offload.expect("the text was cut");
    assert_eq!((offload.path, offload.characters), (None, 39_999));
    let error = offload.error.expect("the reason is given");
    let marker = format!("\n\n... [999 lines truncated — full output could not be saved: {error}] ...\n\n");
    assert!(shaped.text.contains(&marker), "no such line as {marker:?}");
    assert_eq!(shaped.text.chars().count(), 30_000 + marker.chars().count());
}

#[test]
fn a_folder_outside_of_the_working_directory_is_refused() {
    let place = place();
    for folder in ["../elsewhere", "/elsewhere"] {
        let mut call = Setup::offloading(FailureStyle::Json, place.path());
        call.policy.offload = Some(folder.to_owned());
        let offload = shape_value(string_value("x".repeat(40_000)), &call.facts()).offload;
        let error = offload.and_then(|offload| offload.error).expect("nothing was written");
        assert!(error.contains("leaves the working directory"), "{error}");
    }
}

#[test]
fn truncation_comes_first() {
    let place = place();
    let mut call = Setup::offloading(FailureStyle::Json, place.path());
    call.policy.truncate = Some(30_000);
    let cut = shape_value(string_value("x".repeat(50_000)), &call.facts());
    assert_eq!((cut.text.len(), cut.offload), (29_999, None));
    call.policy.truncate = Some(40_000);
    let both = shape_value(string_value("x".repeat(50_000)), &call.facts());
    assert_eq!(both.truncated.map(|truncation| truncation.kept), Some(39_999));
    assert_eq!(
        fs::read_to_string(file_of(&both)).expect("the file can be read").len(),
        39_999
    );
}

#[test]
fn a_long_element_is_cut_like_any_text() {
    let place = place();
    let call = Setup::offloading(FailureStyle::ErrorElement, place.path());
    let shaped = shape_failure(&raised("ValueError", "e".repeat(40_000)), &call.facts());
    assert!(shaped.text.starts_with("<error type=\"ValueError\">eee"));
    assert!(shaped.text.ends_with("eee</error>"));
    let whole = fs::read_to_string(file_of(&shaped)).expect("the file can be read");
    assert_eq!(whole.chars().count(), 40_033);
}

#[test]
fn a_long_failure_in_json_stays_json() {
    let place = place();
    let call = Setup::offloading(FailureStyle::Json, place.path());
    let shaped = shape_failure(&raised("ValueError", "e\"\n".repeat(40_000)), &call.facts());
    let path = file_of(&shaped);
    let shown: Value = serde_json::from_str(&shaped.text).expect("the text is JSON");
    assert_eq!(shown["error"]["type"], "ValueError");
    let message = shown["error"]["message"].as_str().expect("the message is a string");
    assert!(
        message.contains(&format!("full output saved to {}]", path.display())),
        "{message}"
    );
    assert!((29_000..30_300).contains(&shaped.text.chars().count()));
    let whole: Value = serde_json::from_str(&fs::read_to_string(path).expect("the file can be read"))
        .expect("the file holds the whole JSON");
    assert_eq!(whole["error"]["message"], "e\"\n".repeat(40_000));
}

#[test]
fn a_structured_value_stays_valid_and_keeps_its_small_parts() {
    let place = place();
    let call = Setup::offloading(FailureStyle::Json, place.path());
    let value = json!({"n": 2, "data": ["日".repeat(500_000)]});
    let shaped = shape_value(json_value(value.to_string()), &call.facts());
    assert_eq!(
        fs::read_to_string(file_of(&shaped)).expect("the file can be read"),
        value.to_string()
    );
    let Structured::Json(json) = shaped.structured else {
        panic!("{:?} is not the JSON", shaped.structured);
    };
    let structured: Value = serde_json::from_str(&json).expect("the structured value is JSON");
    let path = place.path().join(".pegboard/tool-output/call_1-1.txt");
    assert_eq!(
        structured,
        json!({"n": 2, "data": [{"$offloaded": path.to_string_lossy(), "chars": 500_000}]})
    );
    assert_eq!(
        fs::read_to_string(path).expect("the file can be read"),
        "日".repeat(500_000)
    );
}

#[test]
fn a_wide_structured_value_moves_as_a_whole() {
    let place = place();
    let call = Setup::offloading(FailureStyle::Json, place.path());
    let rows: Vec<Value> = (0..1000)
        .map(|row| json!({"row": row, "text": "x".repeat(50)}))
        .collect();
    let value = json!({"count": 1000, "rows": rows});
    let shaped = shape_value(json_value(value.to_string()), &call.facts());
    let Structured::Json(json) = shaped.structured else {
        panic!("{:?} is not the JSON", shaped.structured);
    };
    let structured: Value = serde_json::from_str(&json).expect("the structured value is JSON");
    assert_eq!(structured["count"], 1000);
    let path = structured["rows"]["$offloaded"]
        .as_str()
        .expect("the rows are elsewhere");
    let kept: Value = serde_json::from_str(&fs::read_to_string(path).expect("the file can be read"))
        .expect("the file holds the rows as JSON");
    assert_eq!(kept, value["rows"]);
}

#[test]
fn an_array_deeper_than_parsers_go_is_still_within_the_limit() {
    let place = place();
    let call = Setup::offloading(FailureStyle::Json, place.path());
    let text = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let Structured::Json(json) = shape_value(json_value(text), &call.facts()).structured else {
        panic!("the structured value is not JSON");
    };
    let structured: Value = serde_json::from_str(&json).expect("the structured value is JSON");
    assert_eq!(structured["chars"], 40_000);
}

#[test]
fn bytes_over_the_limit_go_to_a_file_and_pictures_stay() {
    let place = place();
    let call = Setup::offloading(FailureStyle::Json, place.path());
    let mut value = string_value("two blocks");
    let picture = Content::Image {
        mime_type: "image/png".to_owned(),
        data: "AAAA".repeat(20_000),
    };
    value.content = vec![
        picture.clone(),
        Content::Resource {
            mime_type: "application/octet-stream".to_owned(),
            uri: None,
            data: Some("AP8B".repeat(20_000)),
        },
    ];
    let shaped = shape_value(value, &call.facts());
    assert_eq!(shaped.content[0], picture);
    let Content::Resource {
        uri: Some(uri),
        data: None,
        ..
    } = &shaped.content[1]
    else {
        panic!("{:?} was not moved", shaped.content[1]);
    };
    let bytes = fs::read(uri.strip_prefix("file://").expect("it is a file")).expect("the file can be read");
    assert_eq!(bytes, [0_u8, 255, 1].repeat(20_000));
}
