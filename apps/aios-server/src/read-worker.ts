import { workerData } from "node:worker_threads";
import { nodeDisk } from "./reader/disk.ts";
import { createReadingActors } from "./reader/reading-actors.ts";
import { type HelperData, help } from "./reader/shared-work.ts";
import { foldText } from "./search/word.ts";

help(workerData as HelperData, createReadingActors(nodeDisk, foldText));
