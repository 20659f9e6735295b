//! Links against the chosen Python so that the binary finds the same libpython when it runs.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    pyo3_build_config::add_libpython_rpath_link_args();
    pyo3_build_config::add_extension_module_link_args();
}
