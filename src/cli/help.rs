//! Owns the parts of `--help` that the options themselves do not tell: exit statuses, rules, and the shapes of JSON.
//!
//! The tests compare the shapes with what the commands answer.

/// What the numbers mean.
pub const EXIT_STATUS: &str = "\
Exit status:
  0    done
  1    the input or the tool failed
  2    the command line or the Python environment cannot be used
  3    a fault of pegboard
  130  Ctrl-C

The answer goes to standard output, everything else to standard error.
With `--format json` an error answers, too: {\"error\": {\"code\", \"message\", \"hint\", …}}.";

/// `list`.
pub const LIST: &str = "\
Files that were not loaded are told on standard error. The status is 1 if nothing but them was found.

JSON: {
  \"tools\": [{\"name\", \"description\", \"parameters_schema\", \"output_schema\",
    \"source\": {\"path\", \"line\", \"dialect\", \"toolset\"},
    \"flags\": {\"asynchronous\", \"parallel\", \"max_calls_per_run\", \"strict\", \"target\"}}],
  \"diagnostics\": [{\"code\", \"severity\", \"message\", \"path\", \"line\", \"hint\", \"tools\"}]
}";

/// `show`.
pub const SHOW: &str = "\
JSON: {
  \"name\", \"description\", \"parameters_schema\", \"output_schema\",
  \"source\": {\"path\", \"line\", \"dialect\", \"toolset\"},
  \"flags\": {\"asynchronous\", \"parallel\", \"max_calls_per_run\", \"strict\", \"target\"}
}";

/// `call`.
pub const CALL: &str = "\
How arguments are written:
  name=value   The parameter's schema decides. Where a string is allowed, the
               value is that string, as it stands. Elsewhere it is read as JSON
               if that gives what the schema wants: count=3, tags='[\"a\"]'.
  name:=JSON   The value is JSON in any case: note:=null.
  a.b=value    Sets b inside the object a.
  @FILE or -   A whole JSON object, from a file or from standard input.

The answer is the text for the model. A failed call has no answer in text format: what went wrong is told on standard error, and the status is 1. Tools find standard input empty, and what they write never reaches standard output.

JSON: {
  \"call_id\", \"tool\", \"text\", \"structured\", \"content\",
  \"failure\": null or {\"kind\", \"exception_type\", \"message\", \"cause_chain\", \"traceback\",
    \"problems\": [{\"pointer\", \"code\", \"message\", \"suggestion\"}],
    \"exit_code\", \"still_running\", \"hint\"},
  \"stop\", \"repairs\": [{\"pointer\", \"rule\"}], \"logs\": [{\"stream\", \"text\"}],
  \"truncated\": null or {\"characters\", \"kept\"}, \"offload\": null or {\"path\", \"characters\", \"error\"},
  \"duration_seconds\"
}";

/// `check`.
pub const CHECK: &str = "\
The status is 1 if anything was not loaded, a second tool of the same name included, or if a provider that `--provider` names does not accept a tool.

What a provider accepts of a tool:
  accepted    It goes out saying what its author wrote.
  changed     It goes out, and the notes tell what was changed. Calls are
              held to every rule all the same.
  impossible  The provider would refuse it, or it cannot be described to it;
              with `--strict` also: it cannot be described as strict.

JSON: {
  \"tools\": [name], \"errors\", \"warnings\", \"remarks\",
  \"diagnostics\": [{\"code\", \"severity\", \"message\", \"path\", \"line\", \"hint\", \"tools\"}],
  \"capabilities\": [{\"name\", \"version\", \"description\", \"root\", \"status\",
    \"tools\": [{\"name\", \"namespaced_name\"}],
    \"flags\": [{\"name\", \"description\", \"default\", \"is_on\", \"layer\"}],
    \"checks\": [{\"name\", \"problem\"}],
    \"secrets\": [{\"name\", \"description\", \"is_optional\", \"is_present\"}],
    \"dependencies\": {\"python\", \"packages\", \"scripts\"},
    \"servers\": [{\"name\", \"timeout\", \"start_timeout\", \"when\", \"is_active\", \"transport\":
      {\"stdio\": {\"command\", \"arguments\", \"environment\", \"working_directory\"}}
      or {\"http\": {\"url\", \"headers\": [{\"name\", \"value\", \"is_optional\"}]}}}],
    \"diagnostics\": as above}],
  \"providers\": [{\"provider\", \"tools\": [{\"tool\", \"acceptance\",
    \"notes\": [{\"pointer\", \"change\", \"reason\"}]}]}]
}";

/// `export`.
pub const EXPORT: &str = "\
The answer is the value of the provider's `tools`; of `all`, one object with such a value for each provider. What its format cannot express is noted on standard error, and calls are held to it all the same. `pegboard check --provider` tells it as a table.

JSON: {
  \"tools\": [the provider's own shape],
  \"notes\": [{\"tool\", \"pointer\", \"change\", \"reason\"}]
}

Of `all`, one object with such a document for each provider, under its name.";

/// `serve`.
pub const SERVE: &str = "\
Without `--http` it speaks the Model Context Protocol on standard input and output, as MCP clients start it: {\"command\": \"pegboard\", \"args\": [\"serve\", \"path/to/tools\"]}. What tools write goes to standard error. It ends with its input, its client, or a signal, within two seconds whatever tools do.

With `--watch` files are loaded again as they change: all at once when everything is loaded; a file that an edit has broken keeps the tools that it had. Clients are told if tools look different.\n\nWith `--http` the same protocol is served at /mcp, beside a JSON API at /api/tools with its description at /openapi.json, measurements at /metrics, and a page to try tools on at /. An address that other machines reach needs a token, as `--token` or in the variable PEGBOARD_TOKEN.";

/// `doctor`.
pub const DOCTOR: &str = "\
The Python is the one that `--python` names, else that of the variable VIRTUAL_ENV, else the nearest .venv at or above a source, else the one that this build is linked to. If pegboard was installed with pip, it is always the Python that it was installed into.

JSON: {
  \"version\",
  \"python\": {\"version\", \"executable\", \"reason\", \"prefix\", \"base_prefix\", \"library\", \"linked_library_folder\",
    \"pydantic\", \"package\", \"utf8_mode\", \"path\"},
  \"problems\": [{\"message\", \"hint\"}]
}";

/// `init`.
pub const INIT: &str = "\
Nothing is overwritten.

JSON: {\"files\": [path], \"next\": [command]}";
