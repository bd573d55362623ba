import { StartError } from "../errors.ts";
import { DRAIN_MS } from "../limits.ts";
import {
  type Door,
  type DoorOptions,
  type DoorRules,
  type Doorway,
  doorwaysOf,
  guardsOf,
} from "./door.ts";
import type { Listener } from "./listener.ts";

/** All listeners of the gateway. */
export interface Doors {
  /** Where they listen, in the configuration's order: `http://HOST:PORT`, or a socket's path. */
  places(): readonly string[];
  /** Open connections of them all. */
  readonly connections: number;
  /** Opens what other rules add. Rejects with StartError, and then everything is as it was. */
  prepare(next: DoorRules): Promise<DoorsChange>;
  stopAccepting(): void;
  close(): Promise<void>;
}

/** A change of the listeners of which nothing can fail any more. One of the two has to be called. */
interface DoorsChange {
  /**
   * Goes by the new rules. The new listeners serve; those that are named no more take nobody, and what they serve has a while
   * to finish. All others go on.
   */
  make(): void;
  drop(): Promise<void>;
}

/** Opens every listener of the rules, or none. Rejects with StartError. */
export async function openDoors(first: DoorRules, options: DoorOptions): Promise<Doors> {
  let rules = first;
  let guards = guardsOf(first.server);
  let doors: readonly Door[] = [];
  /** Those that take nobody any more, and serve those who are there. */
  const leaving = new Set<Listener>();
  const state = { rules: () => rules, guards: () => guards };
  const all = () => [...doors.map(({ listener }) => listener), ...leaving];

  /** Opens one after another, or none. */
  async function openAll(doorways: readonly Doorway[], going: readonly Door[]): Promise<Door[]> {
    const opened: Door[] = [];
    const moved: Door[] = [];
    try {
      for (const doorway of doorways) opened.push(await openOver(doorway, going, moved));
      return opened;
    } catch (error) {
      await Promise.all(opened.map(({ listener }) => listener.close()));
      await putBack(moved);
      throw error;
    }
  }

  /** Of one port, a listener on one address and one on all are in each other's way: the one that is going goes first. */
  async function openOver(doorway: Doorway, going: readonly Door[], moved: Door[]): Promise<Door> {
    try {
      return await doorway.open();
    } catch (error) {
      const isTaken = error instanceof StartError && error.code === "ADDRESS_IN_USE";
      const { port } = doorway;
      const inTheWay = going.filter((door) => port !== undefined && door.port === port);
      if (!isTaken || inTheWay.length === 0) throw error;
      for (const door of inTheWay) leave(door.listener);
      moved.push(...inTheWay);
      return await doorway.open();
    }
  }

  /** Listens again where a change came to nothing. Who was connected has stayed so. */
  async function putBack(moved: readonly Door[]): Promise<void> {
    const names = new Set(moved.map(({ name }) => name));
    const doorways = doorwaysOf(rules, state, options).filter(({ name }) => names.has(name));
    const again = await Promise.all(doorways.map((doorway) => doorway.open()));
    for (const door of again) door.serve();
    doors = doors.map((door) => again.find(({ name }) => name === door.name) ?? door);
  }

  function leave(listener: Listener): void {
    if (leaving.has(listener)) return;
    leaving.add(listener);
    const over = () => void leaving.delete(listener);
    listener.stopAccepting().then(() => listener.close().finally(over));
  }

  /** What a listener serves has a while to finish; then its connections are closed. */
  function endSoon(listener: Listener): void {
    leave(listener);
    const timer = setTimeout(() => listener.close(), DRAIN_MS);
    listener.stopAccepting().finally(() => clearTimeout(timer));
  }

  const opened = await openAll(doorwaysOf(first, state, options), []);
  for (const door of opened) door.serve();
  doors = opened;

  return {
    places: () => doors.map(({ listener }) => listener.place),
    get connections() {
      return all().reduce((sum, { connections }) => sum + connections, 0);
    },
    async prepare(next) {
      const doorways = doorwaysOf(next, state, options);
      const going = [...doors];
      const kept = doorways.map(({ name }) => {
        const at = going.findIndex((door) => door.name === name);
        return at === -1 ? undefined : going.splice(at, 1)[0];
      });
      const missing = doorways.filter((_, index) => kept[index] === undefined);
      const fresh = await openAll(missing, going);
      return {
        make() {
          rules = next;
          guards = guardsOf(next.server);
          for (const door of fresh) door.serve();
          doors = kept.flatMap((door) => door ?? fresh.shift() ?? []);
          for (const { listener } of doors) listener.limit(next.maxConnections);
          for (const { listener } of going) endSoon(listener);
        },
        async drop() {
          await Promise.all(fresh.map(({ listener }) => listener.close()));
        },
      };
    },
    stopAccepting() {
      for (const { listener } of doors) listener.stopAccepting();
    },
    async close() {
      await Promise.all(all().map((listener) => listener.close()));
    },
  };
}
