import type { Pages } from '../api/use-pages.ts';
import { ErrorNotice, Skeleton } from './notice.tsx';

/** What stands below a list that was read in part: the way to more of it, why that was refused, or that it comes. */
export function Pager<Item>({ pages }: { readonly pages: Pages<Item> }) {
  if (pages.state === 'refused' && pages.refusal !== null)
    return <ErrorNotice refusal={pages.refusal} retry={pages.more} />;
  if (pages.state === 'loading') return <Skeleton lines={pages.items.length === 0 ? 4 : 1} />;
  if (pages.state === 'end') return null;
  return (
    <button type="button" class="button pager" onClick={pages.more}>
      Load more
    </button>
  );
}
