import type { Driver } from 'neo4j-driver';

import { captureGroupAlone, type CaptureInput } from '../../graph/capture.ts';
import type { Writer } from '../../graph/driver.ts';
import { boltParameters, type Params, type Statement } from '../../graph/statement.ts';

/** The bound of a group, as the committer has it. */
const MAX_GROUP = 500;

/** The driver and nothing around it: no deadline, no repetition, no bookmarks. */
export function rawWriter(driver: Driver): Writer {
  const run = async <P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> => {
    const session = driver.session({ database: 'neo4j' });
    const { records } = await session.run(statement.text, boltParameters(params));
    await session.close();
    return records.map((record) => record.toObject() as R);
  };
  return {
    read: run,
    write: run,
    writeRepeatable: run,
    transaction: async (work) => {
      const session = driver.session({ database: 'neo4j' });
      const open = await session.beginTransaction();
      const outcome = await work({
        run: async (statement, params) => {
          const { records } = await open.run(statement.text, boltParameters(params));
          return records.map((record) => record.toObject() as never);
        },
        send: ({ name }) => {
          throw new Error(`${name} is waited for`);
        },
      });
      await open.commit();
      await session.close();
      return outcome;
    },
  };
}

interface Waiting {
  readonly input: CaptureInput;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Forms groups as the service does, with nothing else around: one in flight, and what arrived meanwhile goes into the next.
 */
export class RawGroups {
  private readonly writer: Writer;
  private readonly waiting: Waiting[] = [];
  private running = false;

  constructor(driver: Driver) {
    this.writer = rawWriter(driver);
  }

  /** Resolves when the record is committed. */
  one(input: CaptureInput): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (!this.running) void this.drain();
    });
  }

  /** Commits records in a transaction of their own. */
  async many(inputs: readonly CaptureInput[]): Promise<void> {
    await captureGroupAlone(this.writer, inputs, Date.now());
  }

  private async drain(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, MAX_GROUP);
      try {
        await this.many(group.map(({ input }) => input));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.running = false;
  }
}
