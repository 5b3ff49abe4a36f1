import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

import { useQuery } from '../../api/use-query.ts';
import { address, goTo, linkWith } from '../../app/location.ts';
import { textOf } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { Instant } from '../../components/instant.tsx';
import { Shown } from '../../components/shown.tsx';
import { inWords } from '../home/content.ts';
import { FIND_EVENTS, type FoundEvent } from './queries.ts';
import { filledInWith, listOf } from './selection.ts';

interface Sought {
  readonly words: string;
  readonly actor: string;
}

/** No condition of a forget reads texts, or asks who spoke: such events are looked for here, and named by their ids. */
export function Finder({
  scope,
  selection,
}: {
  readonly scope: string;
  /** The form that they are selected in, with what is filled in there. */
  readonly selection: RefObject<HTMLFormElement | null>;
}) {
  const [sought, setSought] = useState<Sought | null>(null);
  return (
    <details class="finder">
      <summary>Find events by their words, or by who said it</summary>
      <form
        class="finder-form"
        role="search"
        aria-label="Find events"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          setSought({ words: textOf(form, 'words'), actor: textOf(form, 'actor') });
        }}
      >
        <Field label="Words" name="words" hint="No condition reads texts: so look for them here." />
        <Field label="Said by" name="actor" hint="An actor, such as user:maren." />
        <button type="submit" class="button">
          Find
        </button>
      </form>
      {sought !== null && (
        <FoundEvents scope={scope} sought={sought} selection={selection} key={JSON.stringify(sought)} />
      )}
    </details>
  );
}

function FoundEvents({
  scope,
  sought: { words, actor },
  selection,
}: {
  readonly scope: string;
  readonly sought: Sought;
  readonly selection: RefObject<HTMLFormElement | null>;
}) {
  const filters = actor === '' ? null : { metadata: { observed_actor: [actor] } };
  const found = useQuery(FIND_EVENTS, { scope, words: words === '' ? null : words, filters });
  const named = listOf(address.value.parameters.ids ?? '');
  return (
    <Shown query={found}>
      {({ recall }) => {
        const events = recall?.layers.events ?? [];
        if (events.length === 0) return <p class="soft">No event was found.</p>;
        return (
          <form
            aria-label="Events that were found"
            onSubmit={(event) => {
              event.preventDefault();
              if (selection.current === null) return;
              const ticked = new FormData(event.currentTarget).getAll('event').map(String);
              const unticked = events
                .map(({ id }) => id)
                .filter((id) => named.includes(id) && !ticked.includes(id));
              goTo(linkWith(filledInWith(new FormData(selection.current), { ticked, unticked })));
            }}
          >
            <ul class="found">
              {events.map((event) => (
                <li key={event.id}>
                  <FoundLine event={event} isNamed={named.includes(event.id)} />
                </li>
              ))}
            </ul>
            <button type="submit" class="button">
              Select these records
            </button>
          </form>
        );
      }}
    </Shown>
  );
}

function FoundLine({
  event: { id, event },
  isNamed,
}: {
  readonly event: FoundEvent;
  readonly isNamed: boolean;
}) {
  return (
    <label class="found-line">
      <input type="checkbox" name="event" value={id} defaultChecked={isNamed} />
      <span>
        {event === null ? 'It has gone since.' : inWords(event.content)}
        {event !== null && (
          <span class="small soft found-more">
            {event.observedActor.id}
            {event.observedActor.session !== null && ` · session ${event.observedActor.session}`} ·{' '}
            <Instant at={event.context.observedAt} />
          </span>
        )}
      </span>
    </label>
  );
}
