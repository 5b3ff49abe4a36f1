import { useRef } from 'preact/hooks';

import { goTo } from '../app/location.ts';

/** For a form whose fields stand in the address. */
export interface AddressForm {
  /** Its `key`: another one whenever the address was changed by something else, so that its fields say what the address says. */
  readonly key: string;
  /** Goes to what the form says; the form stays as it is, and so does the focus in it. */
  readonly go: (link: string) => void;
}

/** `said` is what the address says of the fields. */
export function useAddressForm(said: string): AddressForm {
  const shown = useRef({ said, key: said, isOwn: false });
  if (shown.current.said !== said)
    shown.current = { said, key: shown.current.isOwn ? shown.current.key : said, isOwn: false };
  const go = (link: string): void => {
    if (link !== location.hash) shown.current.isOwn = true;
    goTo(link);
  };
  return { key: shown.current.key, go };
}
