import { places } from '../places/all-places.ts';
import { describePlaces } from '../places/describe-places.ts';

// `npm test` looks at each dialog in its first look.
describePlaces(places, { inOtherLook: true });
