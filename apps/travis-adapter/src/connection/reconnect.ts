import type { ReconnectPolicy } from "../config/schema.ts";

export interface Attempts<T> {
  readonly policy: ReconnectPolicy;
  readonly signal: AbortSignal;
  /** A number from 0 up to 1, for the jitter. */
  readonly random: () => number;
  connect(signal: AbortSignal): Promise<T>;
}

/**
 * Up to `maxAttempts` connects, one after another, with a jittered `baseDelayMs · 2^n` between them (A26). Rejects with the
 * last failure, or with the signal's reason as soon as it is aborted.
 */
export async function connectRepeatedly<T>(attempts: Attempts<T>): Promise<T> {
  const { policy, signal, random, connect } = attempts;
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect(signal);
    } catch (error) {
      if (attempt >= policy.maxAttempts || signal.aborted) throw error;
    }
    await pause(delayBefore(attempt, policy, random), signal);
  }
}

/** Milliseconds between attempt n and the next: from half of `baseDelayMs · 2^(n-1)` up to the whole. */
export function delayBefore(
  attempt: number,
  { baseDelayMs }: Pick<ReconnectPolicy, "baseDelayMs">,
  random: () => number,
): number {
  const whole = baseDelayMs * 2 ** (attempt - 1);
  return whole / 2 + (whole / 2) * random();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
