import type { AdminReady } from '../../schemas/health.ts';
import type { CallSiteConfig } from '../models/call-site-config.ts';
import type { ModelCallSite } from '../models/call-site.ts';

type Check = AdminReady['checks'][string];

/** How a call site is, as far as it was asked or probed. `meanwhile`: what happens while it does not work. */
export function callSiteCheck(
  config: CallSiteConfig,
  lane: Pick<ModelCallSite, 'fault' | 'hasAnswered' | 'finding'> | undefined,
  meanwhile: string,
): Check {
  if (!config.on || lane === undefined)
    return config.on
      ? { ok: true, status: 'off' }
      : { ok: true, status: 'off', detail: config.why, fix: config.fix };
  const [{ model, url }] = config.endpoints;
  const asks = `Asks ${config.endpoints.map((endpoint) => endpoint.model).join(', then ')} at ${url}`;
  const { fault, hasAnswered, finding } = lane;
  const fix = `${meanwhile}; check endpoint, key and model.`;
  if (fault !== null)
    return { ok: false, status: 'down', detail: `${model} does not answer: ${fault}.`, fix };
  return foundCheck({ asks, model, fix }, { hasAnswered, finding });
}

/** How what does not fail is, as far as it was asked or probed. `asks`: what it asks, and where; `fix`: what to do where it is away. */
export function foundCheck(
  { asks, model, fix }: { readonly asks: string; readonly model: string; readonly fix: string },
  { hasAnswered, finding }: Pick<ModelCallSite, 'hasAnswered' | 'finding'>,
): Check {
  if (hasAnswered) return { ok: true, status: 'up', detail: `${asks}: it answered what it was asked last.` };
  switch (finding?.is) {
    case undefined:
      return { ok: true, status: 'unknown', detail: `${asks}: it was not asked yet.` };
    case 'away':
      return { ok: false, status: 'down', detail: `${asks}: ${finding.reason}.`, fix };
    case 'listed':
      return { ok: true, status: 'up', detail: `${asks}: it lists the model.` };
    case 'unlisted':
      return {
        ok: true,
        status: 'unknown',
        detail: `${asks}: it answers, and ${model} is not in its list of models.`,
        fix: 'Check the name of the model; the first question tells whether it is known under that name.',
      };
    case 'answers':
      return {
        ok: true,
        status: 'unknown',
        detail: `${asks}: it answers, and tells no list of models; the first question tells whether it works.`,
      };
  }
}
