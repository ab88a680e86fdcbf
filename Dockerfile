# syntax=docker/dockerfile:1
# The gateway in a container: docs/deployment.md.
# For a release, pin the base image: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npm ci && npm run build
# As npm would publish them: without sources, tests and development dependencies.
RUN mkdir /tarballs && npm pack --pack-destination /tarballs \
    -w packages/protocol -w packages/handler -w packages/client -w packages/egress \
    -w packages/evals -w packages/gateway -w packages/cli
WORKDIR /app
RUN npm init --yes > /dev/null && npm install --omit=dev --ignore-scripts --no-audit --no-fund /tarballs/*.tgz

FROM ${NODE_IMAGE}
COPY --from=build /app /app
# A directory in a volume may have a mode that can't be changed. The gateway creates its own inside, with mode 0700.
RUN mkdir -m 0700 /data && chown 65532:65532 /data
ENV NODE_ENV=production \
    NODE_DISABLE_COMPILE_CACHE=1 \
    YAGATE_HOST=0.0.0.0 \
    YAGATE_DATA_DIR=/data/yagate
USER 65532:65532
WORKDIR /
VOLUME /data
EXPOSE 4820
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["node", "/app/node_modules/@yagate/cli/bin/yagate.js", "doctor", "--live"]
ENTRYPOINT ["node", "/app/node_modules/@yagate/cli/bin/yagate.js"]
CMD ["serve"]
