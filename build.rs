//! Links against the chosen Python so that the binary finds the same libpython when it runs, and embeds the Python
//! runtime as text so that a Rust application needs no wheel.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The folders of `python/pegboard` that run inside an embedded interpreter; the rest belongs to the wheel alone.
const EMBEDDED_FOLDERS: [&str; 4] = ["authoring", "compat", "dialects", "runtime"];
const EMBEDDED_FILES: [&str; 2] = ["__init__.py", "errors.py"];

/// Writes `(magic number, {path: code})` in Python's own marshal format; `embedded.py` reads it.
const COMPILE: &str = r#"
import importlib.util, marshal, pathlib, sys
package = pathlib.Path(sys.argv[1])
code = {}
for name in sys.argv[2:]:
    path = pathlib.Path(name).relative_to(package).as_posix()
    text = pathlib.Path(name).read_text(encoding="utf-8")
    code[path] = marshal.dumps(compile(text, f"<pegboard>/{path}", "exec", dont_inherit=True))
sys.stdout.buffer.write(marshal.dumps((importlib.util.MAGIC_NUMBER, code)))
"#;

fn main() -> io::Result<()> {
    pyo3_build_config::use_pyo3_cfgs();
    pyo3_build_config::add_libpython_rpath_link_args();
    pyo3_build_config::add_extension_module_link_args();
    let linked = pyo3_build_config::get();
    println!(
        "cargo:rustc-env=PEGBOARD_LINKED_PYTHON={}",
        linked.executable().unwrap_or_default()
    );
    println!(
        "cargo:rustc-env=PEGBOARD_LINKED_LIBRARY_FOLDER={}",
        linked.lib_dir().unwrap_or_default()
    );
    embed_python(linked.executable())
}

fn embed_python(python: Option<&str>) -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let package = manifest.join("python").join("pegboard");
    let mut files = Vec::new();
    for name in EMBEDDED_FILES {
        println!("cargo:rerun-if-changed={}", package.join(name).display());
        files.push(package.join(name));
    }
    for name in EMBEDDED_FOLDERS {
        collect(&package.join(name), &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let relative = file.strip_prefix(&package).map_err(io::Error::other)?;
        let _ = writeln!(
            table,
            "    ({:?}, include_str!({:?})),",
            relative.display().to_string(),
            file.display().to_string()
        );
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("python_code.bin"), compile_python(python, &package, &files))?;
    fs::write(out.join("python_sources.rs"), table)
}

/// Compiles the files with the linked Python, so that no start has to. Without a Python that answers there is no compiled
/// code, and the text is compiled at every start.
fn compile_python(python: Option<&str>, package: &Path, files: &[PathBuf]) -> Vec<u8> {
    let Some(python) = python else { return Vec::new() };
    let mut command = Command::new(python);
    command.args(["-I", "-S", "-c", COMPILE]).arg(package).args(files);
    match command.output() {
        Ok(output) if output.status.success() => output.stdout,
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// Lists the Python files below `folder`, and asks to be run again when one comes or goes.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "__pycache__") {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "py") {
            println!("cargo:rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}
