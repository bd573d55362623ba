// Makes each app's manifest the one that is published. It names the repository that it is built from, because npm takes
// provenance only from a package whose `repository` is the one that the workflow runs in; the sources name none, so that a fork
// publishes as itself. It loses what means something in a checkout alone: scripts, and development dependencies, which lead to
// packages of the workspace. Outside of a workflow nothing is changed.     node scripts/publish-manifests.mjs [ROOT]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;

function addressOf(server, repository) {
  const isRepository = /^[\w-]+\/[\w.-]+$/.test(repository);
  if (URL.canParse(server) && isRepository)
    return `git+${new URL(server).origin}/${repository}.git`;
  console.error(
    "error: GITHUB_SERVER_URL must be a URL and GITHUB_REPOSITORY must be OWNER/NAME; no manifest was changed",
  );
  process.exit(1);
}

function publishManifest(app, url) {
  const directory = `apps/${app}`;
  const file = join(root, directory, "package.json");
  const { scripts, devDependencies, ...kept } = JSON.parse(readFileSync(file, "utf8"));
  const published = { ...kept, repository: { type: "git", url, directory } };
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`);
  console.log(`${directory}: built from ${url}`);
}

if (server && repository) {
  const url = addressOf(server, repository);
  for (const app of readdirSync(join(root, "apps"))) publishManifest(app, url);
} else {
  console.log(
    "No manifest was changed: GITHUB_SERVER_URL and GITHUB_REPOSITORY are set in a workflow alone",
  );
}
