import { Badge } from '../../components/badge.tsx';
import { duration, Instant } from '../../components/instant.tsx';
import { Empty, Note } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { counted } from '../../components/counted.ts';
import { contextLines, markersById } from './context.ts';
import { Hits } from './hit-list.tsx';
import { showHit } from './marker.ts';
import { Ranking } from './ranking.tsx';
import type { Pack } from './queries.ts';

const NUMBER = new Intl.NumberFormat();

/** A pack: what a model would read, each hit with why it was found, what did not fit, and how it came about. */
export function PackView({ pack }: { readonly pack: Pack }) {
  const { contextBlock, warnings, ambiguousEntity, provenance } = pack;
  return (
    <div class="pack">
      {warnings.map((warning) => (
        <Note key={warning}>{warning === 'words_only' ? WORDS_ONLY : warning}</Note>
      ))}
      {(ambiguousEntity ?? []).map(({ name, ids }) => (
        <Note key={name}>
          {name} is the name of {ids.length} entities here; the pack is about all of them: {ids.join(', ')}.
        </Note>
      ))}
      <Panel title="As a model reads it" aside={<Budget pack={pack} />}>
        {contextBlock === '' ? (
          <Empty title="Nothing was found.">
            <p>Try fewer or other words, another scope, or more of the scopes around it.</p>
          </Empty>
        ) : (
          <ContextBlock pack={pack} />
        )}
        <Cut pack={pack} />
      </Panel>
      <Hits pack={pack} markers={markersById(provenance.citations)} />
      <Ranking pack={pack} />
    </div>
  );
}

const WORDS_ONLY = 'Little was found, and only words were looked for: the embedding model is not there.';

/** How much of the budget the text took. */
function Budget({ pack }: { readonly pack: Pack }) {
  const { budget, used } = pack.diagnostics.tokens;
  return (
    <span class="budget small">
      <svg class="budget-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="confidence-track" width="100" height="8" rx="2" />
        <rect
          class="confidence-value"
          width={budget === 0 ? 0 : Math.min(100, (used / budget) * 100)}
          height="8"
          rx="2"
        />
      </svg>
      <span class="number">
        {NUMBER.format(used)} of {NUMBER.format(budget)} tokens
      </span>
    </span>
  );
}

function ContextBlock({ pack: { contextBlock, provenance } }: { readonly pack: Pack }) {
  return (
    <div class="context-block" tabIndex={0} role="region" aria-label="The text that a model would be given">
      {contextLines(contextBlock, provenance.citations).map(({ text, stamp, marker }, i) =>
        text === '---' ? (
          <hr key={i} />
        ) : (
          <p key={i}>
            {stamp !== null && <span class="context-stamp">{stamp} </span>}
            {marker !== null && (
              <button
                type="button"
                class="marker"
                onClick={() => {
                  showHit(marker);
                }}
              >
                {marker}
                <span class="sr-only"> show the record</span>
              </button>
            )}
            {marker !== null && ' '}
            {text}
          </p>
        ),
      )}
    </div>
  );
}

/** What was found and did not fit, and where was looked. */
function Cut({ pack: { diagnostics, asOf } }: { readonly pack: Pack }) {
  const { evicted, scopesTraversed, scopesWithheld, signals, timeMs } = diagnostics;
  const cut = Object.entries(evicted).filter(([, count]) => count > 0);
  return (
    <div class="cut">
      <p>
        {cut.length === 0 ? (
          <Badge icon="check" tone="good">
            all that was found fits
          </Badge>
        ) : (
          cut.map(([layer, count]) => (
            <Badge icon="dash" tone="warn" key={layer}>
              {`${count} ${layer} did not fit`}
            </Badge>
          ))
        )}
        {scopesWithheld > 0 && (
          <Badge icon="dash" tone="warn">{`${counted(scopesWithheld, 'scope')} withheld`}</Badge>
        )}
      </p>
      <p class="small soft">
        Looked in {scopesTraversed.join(', ')} by {signals.join(', ')}, in {duration(timeMs.total)}; what is
        true at <Instant at={asOf.valid} />, as known{' '}
        {asOf.recorded === null ? 'now' : <Instant at={asOf.recorded} />}.
      </p>
    </div>
  );
}
