# The referee and the page: docker build -t alesia . (docs/build.md has the commands that follow)
FROM rust:1-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo build --release --locked -p alesia -p alesia-lab --bins
FROM debian:bookworm-slim
COPY --from=build /source/target/release/alesia /source/target/release/alesia-lab /usr/local/bin/
USER nobody
EXPOSE 8901 8910
ENTRYPOINT ["alesia"]
