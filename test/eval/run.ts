// Measures extraction by the model that is configured: npm run eval:extraction. Settings come from strata.toml and the environment, as
// for the service; no database is needed. One JSON line a transcript, the total last; exit code 1 when a transcript was not answered.
import { readFileSync } from 'node:fs';

import { systemClock } from '../../src/clock.ts';
import { loadConfig } from '../../src/config.ts';
import { errorText } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import {
  byItem,
  extractionQuestion,
  PROMPT_VERSION,
  type ExtractionItem,
} from '../../src/models/extraction.ts';
import { ModelCallSite } from '../../src/models/call-site.ts';
import { scoreOf, totalOf, type Score } from './score.ts';
import { transcriptsIn, type Transcript } from './transcripts.ts';

const SET = new URL('extraction.json', import.meta.url);

const { models } = loadConfig({ directory: process.cwd(), environment: process.env });
if (!models.extraction.on) throw new Error(`${models.extraction.why} ${models.extraction.fix}`);
const lane = new ModelCallSite({
  lane: models.extraction,
  clock: systemClock,
  log: createLog('warn'),
  metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
});
const tokens = { input: 0, output: 0 };

function itemsOf({ items }: Transcript): ExtractionItem[] {
  return items.map(({ speaker, role, observed_at, text }) => ({
    whole: text,
    from: 0,
    part: text,
    observed_at,
    held_since: observed_at,
    speaker,
    role,
    about: speaker,
  }));
}

async function measured(transcript: Transcript): Promise<{ score: Score; model: string; ms: number }> {
  const items = itemsOf(transcript);
  const began = performance.now();
  const { value, model } = await lane.ask(extractionQuestion(items), {
    signal: new AbortController().signal,
    spent: ({ inputTokens, outputTokens }) => {
      tokens.input += inputTokens;
      tokens.output += outputTokens;
    },
  });
  return {
    score: scoreOf(transcript, byItem(value, items)),
    model,
    ms: Math.round(performance.now() - began),
  };
}

const scores: Score[] = [];
let unanswered = 0;
for (const transcript of transcriptsIn(readFileSync(SET, 'utf8'))) {
  try {
    const { score, model, ms } = await measured(transcript);
    scores.push(score);
    process.stdout.write(`${JSON.stringify({ ...score, model, ms })}\n`);
  } catch (error) {
    unanswered += 1;
    // What was not answered was not found.
    scores.push(
      scoreOf(
        transcript,
        transcript.items.map(() => []),
      ),
    );
    process.stdout.write(`${JSON.stringify({ name: transcript.name, failed: errorText(error) })}\n`);
  }
}
const { faults: _, ...total } = totalOf(scores);
const prompt = PROMPT_VERSION;
process.stdout.write(`${JSON.stringify({ ...total, prompt, model: lane.model, unanswered, tokens })}\n`);
process.exitCode = unanswered > 0 ? 1 : 0;
