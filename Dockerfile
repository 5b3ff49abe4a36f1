FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
# Inside a container the loopback address reaches nobody; what is published decides who may call.
ENV STRATA_HOST=0.0.0.0
ENV STRATA_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
# Behind what is large, because it changes with every commit.
ARG GIT_SHA=unknown
ARG BUILT_AT=unknown
RUN node -e 'require("fs").writeFileSync("build-info.json", JSON.stringify({ git_sha: process.env.GIT_SHA, built_at: process.env.BUILT_AT }))'
# A named volume takes over the owner of the folder it is mounted on.
RUN install -d -m 0700 -o node -g node /data
USER node
VOLUME /data
EXPOSE 3141
# A bulk lives as long as its transaction: with the default of 16 MiB the collector copies it again and again.
CMD ["node", "--max-semi-space-size=64", "bin/strata.js", "start"]
