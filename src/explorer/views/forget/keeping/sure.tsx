import type { Act } from '../../../api/use-act.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/notice.tsx';

/** Asks before something is done that cannot be undone by another click. */
export function Sure({
  title,
  what,
  label,
  act: { isBusy, refusal, start },
  execute,
  close,
}: {
  readonly title: string;
  readonly what: string;
  readonly label: string;
  readonly act: Act;
  readonly execute: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}) {
  return (
    <Dialog title={title} close={close}>
      <p>{what}</p>
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      <div class="form-end">
        <button
          type="button"
          class="button button-danger"
          disabled={isBusy}
          onClick={() => {
            start(execute);
          }}
        >
          {label}
        </button>
        <button type="button" class="button" onClick={close}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}
