import { parentPort, workerData } from "node:worker_threads";
import { answerSearches } from "./search/thread.ts";
import { type AiosServerOptions, createAiosServer } from "./server.ts";

/** What the thread is started with. */
export type SearchWorkerData = Pick<AiosServerOptions, "folder" | "version" | "home">;

if (parentPort === null) throw new Error("This file runs as a thread of the server");
const { searchAios } = createAiosServer(workerData as SearchWorkerData);
answerSearches(parentPort, searchAios);
