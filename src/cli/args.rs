//! Owns the raw command line: what can be written, and what `--help` says.
//!
//! Only clap here. Nothing is resolved, read or checked beyond the shape of the words.

use super::help;
use super::provider_choice::{self, ProviderChoice};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Hosts Python tools for agents: loads tool files unchanged, describes them, runs them.
#[derive(Debug, Parser)]
#[command(
    name = "pegboard",
    bin_name = "pegboard",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = help::EXIT_STATUS
)]
pub struct Args {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command understands.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// How the answer on standard output is written: for people, or as one JSON document on one line
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// The Python to run tools in: an environment's folder or an executable
    #[arg(long, global = true, value_name = "PATH")]
    pub python: Option<PathBuf>,
    /// How long a tool may run that sets no limit of its own: seconds, or `none`
    #[arg(long, global = true, value_name = "SECONDS")]
    pub timeout: Option<String>,
    /// What a dreadnode or rigging tool catches that does not say: every exception, or those of its documentation
    #[arg(long, global = true, value_enum, value_name = "WHICH", default_value_t = CatchDefaultArg::Documented)]
    pub catch_default: CatchDefaultArg,
    /// Which package answers `import dreadnode` and the like: an installed one if there is one, or pegboard's own
    #[arg(long, global = true, value_enum, value_name = "WHICH", default_value_t = CompatArg::Auto)]
    pub compat: CompatArg,
    /// Also load the capabilities beside the project and with the user (.dreadnode/capabilities), and those in the
    /// folders of the variable `DREADNODE_CAPABILITY_DIRS`
    #[arg(long, global = true)]
    pub capabilities: bool,
    /// An MCP server whose tools are added: its address, a file such as .mcp.json, or a command with its arguments in
    /// quotes; can be repeated
    #[arg(long, global = true, value_name = "SERVER")]
    pub mcp: Vec<String>,
    /// When to write colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub color: When,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// When something is done that depends on where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// The words for `CatchDefault`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CatchDefaultArg {
    All,
    Documented,
}

/// The words for `Compat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompatArg {
    Auto,
    Builtin,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    List(SourcesArgs),
    Show(ShowArgs),
    Call(CallArgs),
    Check(CheckArgs),
    Export(ExportArgs),
    Serve(ServeArgs),
    Doctor(DoctorArgs),
    Init(InitArgs),
    Completions(CompletionsArgs),
}

/// List the tools
#[derive(Debug, clap::Args)]
#[command(after_help = help::LIST)]
pub struct SourcesArgs {
    /// Tool files, folders of tool files, or capabilities
    #[arg(value_name = "SOURCE", default_value = ".")]
    pub sources: Vec<PathBuf>,
}

/// Show one tool as a model is shown it
#[derive(Debug, clap::Args)]
#[command(after_help = help::SHOW)]
pub struct ShowArgs {
    /// A tool file, a folder of tool files, or a capability
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// The tool's name
    #[arg(value_name = "TOOL")]
    pub tool: String,
}

/// Call a tool
#[derive(Debug, clap::Args)]
#[command(after_help = help::CALL)]
pub struct CallArgs {
    /// A tool file, a folder of tool files, or a capability
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// The tool's name
    #[arg(value_name = "TOOL")]
    pub tool: String,
    /// The arguments: `name=value` or `name:=JSON` for each, or `@FILE` or `-` for a whole JSON object
    #[arg(value_name = "ARGUMENT", conflicts_with = "json")]
    pub arguments: Vec<String>,
    /// The arguments as the text of a JSON object
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub json: Option<String>,
    /// When to show on standard error what the tool wrote; `auto` does in text format, since JSON holds it
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub logs: When,
}

/// Check that everything loads, and what providers of models will accept
#[derive(Debug, clap::Args)]
#[command(after_help = help::CHECK)]
pub struct CheckArgs {
    /// Tool files, folders of tool files, or capabilities
    #[arg(value_name = "SOURCE", default_value = ".")]
    pub sources: Vec<PathBuf>,
    /// Also tell what this provider, or `all` of them, will accept of each tool
    #[arg(long, value_name = "PROVIDER", value_parser = provider_choice::parser())]
    pub provider: Option<ProviderChoice>,
    /// Judge the tools as strict ones, by the providers that have strict schemas
    #[arg(long, requires = "provider")]
    pub strict: bool,
}

/// Serve the tools to other processes: as an MCP server on standard input and output, or over HTTP
#[derive(Debug, clap::Args)]
#[command(after_help = help::SERVE)]
pub struct ServeArgs {
    /// Tool files, folders of tool files, or capabilities
    #[arg(value_name = "SOURCE", default_value = ".")]
    pub sources: Vec<PathBuf>,
    /// Serve over HTTP at this address, such as `127.0.0.1:8080`; port 0 takes a free one
    #[arg(long, value_name = "ADDR")]
    pub http: Option<String>,
    /// What every HTTP request has to bring as a bearer token; the variable `PEGBOARD_TOKEN` if it is not given
    #[arg(long, value_name = "TOKEN", requires = "http")]
    pub token: Option<String>,
    /// A further name under which HTTP clients reach the server; may be given more than once
    #[arg(long, value_name = "NAME", requires = "http")]
    pub host_name: Vec<String>,
    /// Load files again as they change; what an edit has broken goes on as it was
    #[arg(long)]
    pub watch: bool,
}

/// Describe the tools as a provider of models takes them
#[derive(Debug, clap::Args)]
#[command(after_help = help::EXPORT)]
pub struct ExportArgs {
    /// Tool files, folders of tool files, or capabilities
    #[arg(value_name = "SOURCE", default_value = ".")]
    pub sources: Vec<PathBuf>,
    /// The provider, or `all` of them
    #[arg(long, value_name = "PROVIDER", value_parser = provider_choice::parser())]
    pub provider: ProviderChoice,
    /// Fail unless every tool can be described as strict; of `all` providers, to those that have strict schemas
    #[arg(long)]
    pub strict: bool,
}

/// Tell which Python runs the tools, and why
#[derive(Debug, clap::Args)]
#[command(after_help = help::DOCTOR)]
pub struct DoctorArgs {
    /// Where an environment is looked for: the nearest .venv at or above these
    #[arg(value_name = "SOURCE", default_value = ".")]
    pub sources: Vec<PathBuf>,
}

/// Write a folder with a first tool file
#[derive(Debug, clap::Args)]
#[command(after_help = help::INIT)]
pub struct InitArgs {
    /// The folder, which is made if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Write a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Provider;
    use clap::CommandFactory as _;

    fn parsed(words: &[&str]) -> Args {
        Args::try_parse_from([&["pegboard"], words].concat()).unwrap()
    }

    fn refused(words: &[&str]) -> bool {
        Args::try_parse_from([&["pegboard"], words].concat()).is_err()
    }

    #[test]
    fn the_command_line_contradicts_itself_nowhere() {
        Args::command().debug_assert();
    }

    #[test]
    fn list_check_and_doctor_take_sources_and_default_to_the_current_folder() {
        for name in ["list", "check", "doctor"] {
            for (words, expected) in [(&[][..], vec!["."]), (&["a", "b"], vec!["a", "b"])] {
                let command = parsed(&[&[name], words].concat()).command;
                let (Command::List(SourcesArgs { sources })
                | Command::Check(CheckArgs { sources, .. })
                | Command::Doctor(DoctorArgs { sources })) = command
                else {
                    panic!("{name} is another command: {command:?}");
                };
                assert_eq!(
                    sources,
                    expected.into_iter().map(PathBuf::from).collect::<Vec<_>>(),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn show_takes_a_source_and_a_tool() {
        let Command::Show(args) = parsed(&["show", "folder", "tool"]).command else {
            panic!("not show");
        };
        assert_eq!((args.source, args.tool.as_str()), (PathBuf::from("folder"), "tool"));
        assert!(refused(&["show", "folder"]));
    }

    #[test]
    fn call_takes_words_or_json_but_not_both() {
        let Command::Call(args) = parsed(&["call", "folder", "tool", "n=-1", "-"]).command else {
            panic!("not call");
        };
        assert_eq!(args.arguments, ["n=-1", "-"]);
        assert_eq!((args.json, args.logs), (None, When::Auto));
        let Command::Call(args) = parsed(&["call", "folder", "tool", "--json", "-1", "--logs", "never"]).command else {
            panic!("not call");
        };
        assert_eq!((args.json.as_deref(), args.logs), (Some("-1"), When::Never));
        assert!(refused(&["call", "folder", "tool", "n=1", "--json", "{}"]));
    }

    #[test]
    fn export_takes_sources_and_a_known_provider() {
        for provider in Provider::ALL {
            let words = ["export", "folder", "--provider", provider.as_str(), "--strict"];
            let Command::Export(args) = parsed(&words).command else {
                panic!("not export");
            };
            assert_eq!((args.provider, args.strict), (ProviderChoice::One(provider), true));
            assert_eq!(args.sources, [PathBuf::from("folder")]);
        }
        assert!(refused(&["export", "folder"]));
        assert!(refused(&["export", "--provider", "nobody"]));
    }

    #[test]
    fn check_takes_one_provider_or_all() {
        for (words, expected) in [
            (&["check"][..], None),
            (
                &["check", "--provider", "gemini"],
                Some(ProviderChoice::One(Provider::Gemini)),
            ),
            (&["check", "--strict", "--provider", "all"], Some(ProviderChoice::All)),
        ] {
            let Command::Check(args) = parsed(words).command else {
                panic!("not check");
            };
            assert_eq!(args.provider, expected, "{words:?}");
        }
        assert!(refused(&["check", "--strict"]));
    }

    #[test]
    fn init_and_completions_take_one_word() {
        let Command::Init(args) = parsed(&["init", "folder"]).command else {
            panic!("not init");
        };
        assert_eq!(args.folder, PathBuf::from("folder"));
        let Command::Completions(args) = parsed(&["completions", "zsh"]).command else {
            panic!("not completions");
        };
        assert_eq!(args.shell, Shell::Zsh);
        assert!(refused(&["init"]));
        assert!(refused(&["completions", "command.com"]));
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        let options = [
            "--format",
            "json",
            "--python",
            "p",
            "--timeout",
            "2",
            "--catch-default",
            "all",
            "--compat",
            "builtin",
            "--color",
            "never",
        ];
        for words in [[&options[..], &["list"]].concat(), [&["list"], &options[..]].concat()] {
            let global = parsed(&words).global;
            assert_eq!((global.format, global.color), (Format::Json, When::Never));
            assert_eq!(
                (global.python, global.timeout),
                (Some(PathBuf::from("p")), Some("2".to_owned()))
            );
            assert_eq!(
                (global.catch_default, global.compat),
                (CatchDefaultArg::All, CompatArg::Builtin)
            );
        }
    }
}
