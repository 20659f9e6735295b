//! Owns reading an answer: its status, its body by length or in chunks, and the session that it opens.

use std::io;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;

pub struct Answer {
    pub status: u16,
    pub session: Option<String>,
    pub body: Vec<u8>,
}

/// Reads one answer.
pub async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Answer> {
    let mut line = String::new();
    read_line(stream, &mut line).await?;
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse().ok())
        .ok_or(io::ErrorKind::InvalidData)?;
    let mut answer = Answer {
        status,
        session: None,
        body: Vec::new(),
    };
    let (mut length, mut is_chunked) = (0, false);
    loop {
        read_line(stream, &mut line).await?;
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().map_err(|_| io::ErrorKind::InvalidData)?;
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            is_chunked = value.eq_ignore_ascii_case("chunked");
        } else if name.eq_ignore_ascii_case("mcp-session-id") {
            answer.session = Some(value.to_owned());
        }
    }
    if !is_chunked {
        answer.body.resize(length, 0);
        stream.read_exact(&mut answer.body).await?;
        return Ok(answer);
    }
    loop {
        read_line(stream, &mut line).await?;
        let size = usize::from_str_radix(&line, 16).map_err(|_| io::ErrorKind::InvalidData)?;
        let start = answer.body.len();
        answer.body.resize(start + size, 0);
        stream.read_exact(&mut answer.body[start..]).await?;
        read_line(stream, &mut line).await?;
        if size == 0 {
            return Ok(answer);
        }
    }
}

/// Reads a line without its end.
async fn read_line(stream: &mut BufReader<TcpStream>, line: &mut String) -> io::Result<()> {
    line.clear();
    if stream.read_line(line).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    line.truncate(line.trim_end().len());
    Ok(())
}
