import { useQuery } from '../../api/use-query.ts';
import { linkTo, linkWith } from '../../app/location.ts';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { Shown } from '../../components/shown.tsx';
import { inWords } from '../home/content.ts';
import { EPISODE, EVENT, MADE_OF } from './queries.ts';

/** The open event or episode, and what was made of it. */
export function ItemDetails({ id }: { readonly id: string }) {
  return (
    <section class="item-details" aria-label="What is open">
      {id.startsWith('ep_') ? <EpisodeDetails id={id} /> : <EventDetails id={id} />}
      <Made id={id} />
      <p class="item-ways">
        <a href={linkTo('why', [], { id })}>Why</a>
        <a href={linkWith({ item: '' })}>Close</a>
      </p>
    </section>
  );
}

function EventDetails({ id }: { readonly id: string }) {
  const query = useQuery(EVENT, { id });
  return (
    <Shown query={query} lines={4}>
      {({ event }) =>
        event && (
          <>
            <p class="small soft">
              <span class="kind kind-event" aria-hidden="true" /> event
            </p>
            <p class="item-text">{inWords(event.content)}</p>
            <KeyValue
              entries={[
                ['By', event.observedActor.id],
                ['About', event.subject.id],
                ['Observed', <Instant key="observed" at={event.context.observedAt} />],
                ['Recorded', <Instant key="recorded" at={event.context.recordedAt} />],
                ['Kind', event.modality],
                ['Labels', event.context.labels.length === 0 ? 'none' : event.context.labels.join(', ')],
                ...(event.context.intent === null ? [] : [['Intent', event.context.intent] as const]),
                ['Sent by', event.caller],
                ['Id', <code key="id">{event.id}</code>],
              ]}
            />
          </>
        )
      }
    </Shown>
  );
}

function EpisodeDetails({ id }: { readonly id: string }) {
  const query = useQuery(EPISODE, { id });
  return (
    <Shown query={query} lines={4}>
      {({ episode }) =>
        episode && (
          <>
            <p class="small soft">
              <span class="kind kind-episode" aria-hidden="true" /> episode
            </p>
            <p class="item-text">{episode.summary}</p>
            <KeyValue
              entries={[
                ['Began', <Instant key="began" at={episode.startedAt} />],
                [
                  'Ended',
                  episode.endedAt === null ? 'goes on' : <Instant key="ended" at={episode.endedAt} />,
                ],
                ['Known since', <Instant key="known" at={episode.recordedFrom} />],
                ['Id', <code key="id">{episode.id}</code>],
              ]}
            />
            <h3>Its events</h3>
            <ol class="item-list">
              {episode.causalChain?.map(({ event, role, summary }) => (
                <li key={event}>
                  <span class="soft">{role.replaceAll('_', ' ')}:</span>{' '}
                  <a href={linkWith({ item: event })}>{summary}</a>
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Shown>
  );
}

function Made({ id }: { readonly id: string }) {
  const query = useQuery(MADE_OF, { id });
  return (
    <>
      <h3>What was made of it</h3>
      <Shown query={query} lines={2}>
        {({ provenance }) => {
          const made = provenance?.nodes.filter((node) => node.id !== id) ?? [];
          if (made.length === 0) return <p class="soft">Nothing.</p>;
          return (
            <ul class="item-list">
              {made.map((node) => (
                <li key={node.id}>
                  <span class={`kind kind-${node.type}`} aria-hidden="true" />{' '}
                  <span class="soft">{node.type}:</span>{' '}
                  {node.type === 'episode' ? (
                    <a href={linkWith({ item: node.id })}>{node.summary}</a>
                  ) : (
                    <a href={linkTo('why', [], { id: node.id })}>{node.summary}</a>
                  )}
                </li>
              ))}
              {provenance?.truncated === true && <li class="soft">There is more than is shown here.</li>}
            </ul>
          );
        }}
      </Shown>
    </>
  );
}
