import { computed } from '@preact/signals';

import { address } from '../../app/location.ts';
import { chosenIn, type Chosen } from './choice.ts';

/** What is looked at. */
export const chosen = computed<Chosen>(() => chosenIn(address.value.parameters));
