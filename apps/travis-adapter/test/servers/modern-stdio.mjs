// The v2 SDK's server on stdio, for the modern era alone.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createModernServer } from "./modern-catalog.mjs";

serveStdio(createModernServer, { legacy: "reject" });
