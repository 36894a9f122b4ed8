//! Alesia as a WebAssembly module: rules, evaluation and search in a browser, without a server.
//!
//! The one idea: a host asks with a line of JSON and gets one back ([`Session::ask`]), and on the
//! way as many reports as the work is long. There are no threads: a host that must not wait runs
//! the module in a Web Worker (`tools/web/worker.js`).

#[cfg(target_family = "wasm")]
mod host;
mod requests;
mod session;
mod view;

pub use session::Session;
