import { useEffect, useRef, useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { refusalOf, type Refusal } from '../../api/errors.ts';
import { visit } from '../../api/session.ts';
import { goTo, linkTo } from '../../app/location.ts';
import { Empty, ErrorNotice } from '../../components/notice.tsx';
import { toast } from '../../components/toast.tsx';
import { CHAPTERS, EXAMPLE_SCOPE } from '../../example/story.ts';
import { tellStory } from '../../example/tell.ts';

/**
 * What an empty store shows: one button that fills it with a story. That goes on when the view is left, as long as the page is of the
 * same caller.
 */
export function ExampleOffer({ done }: { readonly done: () => void }) {
  const [chapter, setChapter] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const load = async (): Promise<void> => {
    setRefusal(null);
    try {
      const signal = visit();
      await tellStory((document, variables) => ask(document, variables, signal), setChapter);
      toast('The example is loaded.');
      if (isLeft.current) return;
      goTo(linkTo('home', [], { scope: EXAMPLE_SCOPE }));
      done();
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setChapter(null);
    }
  };
  return (
    <div class="panel">
      <Empty title="Nothing is stored yet">
        <p>
          The example tells of Maren, who restores a boat: moves, corrections that came late, two sources that
          disagree, and a conclusion whose premise falls. It is captured into the scope{' '}
          <code>{EXAMPLE_SCOPE}</code>, needs no language model, and can be forgotten like anything else.
        </p>
        {chapter === null ? (
          <button type="button" class="button button-main" onClick={() => void load()}>
            Load the example
          </button>
        ) : (
          <div role="status" class="example-progress">
            <progress max={CHAPTERS.length} value={chapter} aria-label="Chapters that are loaded" />
            <span>
              {CHAPTERS[chapter]?.title ?? 'Done'} ({chapter} of {CHAPTERS.length})
            </span>
          </div>
        )}
        {refusal !== null && <ErrorNotice refusal={refusal} />}
      </Empty>
    </div>
  );
}
