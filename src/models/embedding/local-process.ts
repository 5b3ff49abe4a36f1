import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { errorText } from '../../errors.ts';
import { LOCAL_MODEL, notTheModel, type LocalFolders, type ModelFile } from './local-model.ts';
import { unitVector } from './unit-vector.ts';

// The process that runs the local model: one text in, one vector out. It is forked by local-runner.ts, and ends with its parent.

/** What it is sent. */
export interface Question {
  readonly number: number;
  readonly text: string;
}

/** What it sends: once that it is ready or why it cannot be, then an answer to each question. */
export type RunnerMessage =
  | { readonly ready: true }
  | { readonly refused: string }
  | { readonly number: number; readonly vector: Float32Array; readonly tokens: number }
  | { readonly number: number; readonly error: string };

// What is used of the two packages; they are no dependencies of the service, so their types are not at hand.
interface Tensor {
  readonly data: Float32Array;
}
interface Onnx {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => unknown;
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: object,
    ): Promise<{
      run(feeds: Record<string, unknown>): Promise<{ readonly last_hidden_state: Tensor }>;
    }>;
  };
}
interface Tokenizers {
  readonly Tokenizer: new (
    tokenizer: unknown,
    config: object,
  ) => { encode(text: string): { readonly ids: number[] } };
}

type Embed = (text: string) => Promise<{ vector: Float32Array; tokens: number }>;

function say(message: RunnerMessage): void {
  process.send?.(message);
}

/** The bytes of a file of the model. What is hashed is what is used: nobody can change it between the two. */
async function published(folder: string, file: ModelFile): Promise<Buffer> {
  const bytes = await readFile(join(folder, file.name));
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
    throw new Error(notTheModel(file, folder));
  return bytes;
}

async function load({ model, runtime }: LocalFolders): Promise<Embed> {
  const [tokenizerBytes, weights] = await Promise.all([
    published(model, LOCAL_MODEL.tokenizer),
    published(model, LOCAL_MODEL.weights),
  ]);
  const require = createRequire(join(runtime, 'package.json'));
  const { Tokenizer } = require('@huggingface/tokenizers') as Tokenizers;
  const { InferenceSession, Tensor } = require('onnxruntime-node') as Onnx;
  const tokenizer = new Tokenizer(JSON.parse(tokenizerBytes.toString('utf8')), {});
  // One thread: with more it takes cores from the database, and is slower where others want them too. 3: errors only.
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  return async (text) => {
    const ids = cut(tokenizer.encode(text).ids);
    const tensor = (numbers: BigInt64Array): unknown => new Tensor('int64', numbers, [1, ids.length]);
    const { last_hidden_state: state } = await session.run({
      input_ids: tensor(BigInt64Array.from(ids, BigInt)),
      attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    });
    // The vector of a text is that of its first token, the mark of its beginning.
    const vector = unitVector(state.data.subarray(0, LOCAL_MODEL.dimensions));
    if (vector === null) throw new Error('the model made a vector without a direction');
    return { vector, tokens: ids.length };
  };
}

/** The tokens that count, with the mark of the end as the last one. */
function cut(ids: readonly number[]): readonly number[] {
  const end = ids.at(-1);
  if (end === undefined || ids.length <= LOCAL_MODEL.maxTokens) return ids;
  return [...ids.slice(0, LOCAL_MODEL.maxTokens - 1), end];
}

async function answer(embed: Embed, { number, text }: Question): Promise<void> {
  try {
    say({ number, ...(await embed(text)) });
  } catch (error) {
    say({ number, error: errorText(error) });
  }
}

async function main(): Promise<void> {
  process.on('disconnect', () => process.exit());
  // A terminal sends it to the whole group; the parent decides when this process ends.
  process.on('SIGINT', () => undefined);
  try {
    const embed = await load({ model: process.argv[2] ?? '', runtime: process.argv[3] ?? '' });
    process.on('message', (question) => void answer(embed, question as Question));
    say({ ready: true });
  } catch (error) {
    say({ refused: errorText(error) });
    process.disconnect();
  }
}

await main();
