//! The command: everything it does is in the library.

fn main() {
    std::process::exit(pegboard::cli::run(std::env::args_os()));
}
