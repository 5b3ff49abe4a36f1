import { useEffect, useRef, useState } from 'preact/hooks';

import { Icon } from '../components/icon.tsx';
import { Instant } from '../components/instant.tsx';
import { instantOf, localOf } from './local-time.ts';
import { address, asOf, goTo, linkWith } from './location.ts';

/** At which instants is looked: when it is true, and when it was known. */
export function AsOfChooser() {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  return (
    <div
      class="as-of"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        setOpen(false);
        opener.current?.focus();
      }}
    >
      <button
        ref={opener}
        type="button"
        class="button as-of-button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name="clock" />
        <Chosen />
      </button>
      {isOpen && (
        <AsOfForm
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

function Chosen() {
  const { valid, recorded } = asOf.value ?? {};
  if (valid === undefined && recorded === undefined) return <span>as of now</span>;
  return (
    <span>
      {valid !== undefined && (
        <>
          true at <Instant at={valid} />
        </>
      )}
      {valid !== undefined && recorded !== undefined && ', '}
      {recorded !== undefined && (
        <>
          as known at <Instant at={recorded} />
        </>
      )}
    </span>
  );
}

function AsOfForm({ close }: { readonly close: () => void }) {
  const { valid = '', recorded = '' } = address.value.parameters;
  return (
    <form
      class="as-of-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        goTo(
          linkWith({
            valid: instantOf(form.get('valid'), valid),
            recorded: instantOf(form.get('recorded'), recorded),
          }),
        );
        close();
      }}
    >
      <label>
        True at (valid time)
        <input type="datetime-local" step="1" name="valid" defaultValue={localOf(valid)} />
      </label>
      <label>
        As known at (recorded time)
        <input type="datetime-local" step="1" name="recorded" defaultValue={localOf(recorded)} />
      </label>
      <p class="field-hint">In your own time zone. Empty stands for now.</p>
      <div class="form-row">
        <button type="submit" class="button button-main">
          Look there
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            goTo(linkWith({ valid: '', recorded: '' }));
            close();
          }}
        >
          Now
        </button>
      </div>
    </form>
  );
}
