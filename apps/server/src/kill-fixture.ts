// A process that may be killed after every call it makes, for tests of work that is taken up again. Must never be used by
// the running server.
import type { Random } from "@clockwork/kit/random";

const STOPPED = new Error("stopped");

/** Restarts the job without any state, as often as it is killed; returns the number of kills. */
export async function finishDespiteKills(random: Random, job: (life: Life) => Promise<unknown>): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const life = beginLife(random);
    try {
      await job(life);
      return kills;
    } catch (error) {
      if (error !== STOPPED) throw error;
    } finally {
      await life.ended();
    }
  }
}

/** One life of the process: a kill ends every call of it, those under way too. */
export interface Life {
  guard<Target extends object>(target: Target): Target;
  ended(): Promise<void>;
}

function beginLife(random: Random): Life {
  let isDead = false;
  const underWay = new Set<Promise<unknown>>();
  const mayEnd = (): void => {
    isDead ||= random.chance(1, 100);
    if (isDead) throw STOPPED;
  };
  return {
    guard: (target) =>
      new Proxy(target, {
        get(of, name) {
          const value: unknown = Reflect.get(of, name);
          if (typeof value !== "function") return value;
          return (...given: unknown[]) => {
            if (isDead) throw STOPPED;
            const answer: unknown = Reflect.apply(value, of, given);
            if (!(answer instanceof Promise)) return answer;
            const call = answer.then((end) => {
              mayEnd();
              return end;
            });
            underWay.add(call);
            return call;
          };
        },
      }),
    async ended() {
      await Promise.allSettled(underWay);
    },
  };
}
