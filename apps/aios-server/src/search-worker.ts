import { availableParallelism } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { startHelper } from "./reader/shared-work.ts";
import { answerSearches } from "./search/thread.ts";
import { type AiosServerOptions, createAiosServer } from "./server.ts";

/** What the thread is started with. */
export type SearchWorkerData = Pick<AiosServerOptions, "folder" | "version" | "home">;

/** Stands beside this file once both are built. */
const READ_WORKER = new URL("./read-worker.js", import.meta.url);

if (parentPort === null) throw new Error("This file runs as a thread of the server");
const helper = availableParallelism() > 1 ? startHelper(READ_WORKER) : undefined;
const { searchAios } = createAiosServer({ ...(workerData as SearchWorkerData), helper });
answerSearches(parentPort, searchAios);
