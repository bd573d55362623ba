export { CANARY, CANARY_FORMS, findCanary } from "./canary.ts";
export { type Census, filesIn, processesWith, takeCensus } from "./census.ts";
export { type Daemon, type DaemonConfig, type DaemonOptions, startDaemon } from "./daemon.ts";
export { askDirectly, bodyOf, type DirectRequest } from "./direct.ts";
export { edges } from "./edges.ts";
export { forwardTo } from "./forwarder.ts";
export {
  createSubject,
  type FuzzBatches,
  type FuzzSubject,
  fuzzBatches,
  fuzzRuns,
  missingFrom,
} from "./fuzz.ts";
export {
  anyId,
  anyLine,
  anyMessage,
  anyOrder,
  callsWith,
  damaged,
  mutated,
  oddValue,
  serverMessage,
} from "./hostile.ts";
export { installInspector } from "./inspector.ts";
export { installPackage } from "./install.ts";
export { findNginx } from "./nginx.ts";
export { type Launch, launchOf, type Peer, type PeerCall, peers } from "./peers.ts";
export { builtBin, fixtureServer, officialServer, repository, sampleAios } from "./places.ts";
export { isAlive, type RunningProcess, startProcess } from "./process.ts";
export {
  type Door,
  modern,
  openSession,
  openStream,
  type RawAnswer,
  type RawRequest,
  rpc,
  type Stream,
  send,
} from "./raw-client.ts";
export { type Ran, type RunOptions, run } from "./run.ts";
export { createTempFolder, type TempFolder } from "./temp-folder.ts";
