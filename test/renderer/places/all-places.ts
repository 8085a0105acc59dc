import { approvalPlaces } from './approval-places.ts';
import { documentPlaces } from './document-places.ts';
import { firstRunPlaces } from './first-run-places.ts';
import { keyPlaces } from './key-places.ts';
import { operationPlaces } from './operation-places.ts';
import { peoplePlaces } from './people-places.ts';
import type { Place } from './place.ts';
import { settingsPlaces } from './settings-places.ts';
import { signPlaces } from './sign-places.ts';

/** Every page and dialog of the GUI in the states of different looks. */
export const places: readonly Place[] = [
  ...firstRunPlaces,
  ...keyPlaces,
  ...documentPlaces,
  ...approvalPlaces,
  ...signPlaces,
  ...operationPlaces,
  ...peoplePlaces,
  ...settingsPlaces,
];

/** Both languages, wide and narrow; colours are switched within each, like the system at dusk and dawn. */
export const looks = [
  { language: 'pt-BR', locale: 'pt-BR', viewport: { width: 1200, height: 800 } },
  { language: 'en', locale: 'en-US', viewport: { width: 380, height: 780 } },
] as const;
