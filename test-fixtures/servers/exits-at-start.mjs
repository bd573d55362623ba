// Fault: ends with status 3 before it answers anything, after a line on stderr that holds an environment value.
process.stderr.write(`cannot open the database for ${process.env.SERVICE_TOKEN ?? "nobody"}\n`);
process.exitCode = 3;
