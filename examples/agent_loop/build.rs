//! Lets the binary find the libpython that it is linked to. Cargo does not pass this on from the library.

fn main() {
    pyo3_build_config::add_libpython_rpath_link_args();
}
