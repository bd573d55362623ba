/**
 * What asks the daemon to stop. On Windows nobody can send SIGTERM: there it is Ctrl-C, Ctrl-Break, and a console that was
 * closed, after which the system leaves a few seconds.
 */
export function stopSignals(platform: NodeJS.Platform): readonly NodeJS.Signals[] {
  const everywhere = ["SIGTERM", "SIGINT"] as const;
  return platform === "win32" ? [...everywhere, "SIGBREAK", "SIGHUP"] : everywhere;
}

/** The signal by which a process ends itself after `signal` came again. Windows can only send the first two. */
export function endingSignal(signal: NodeJS.Signals, platform: NodeJS.Platform): NodeJS.Signals {
  return stopSignals("linux").includes(signal) || platform !== "win32" ? signal : "SIGTERM";
}
