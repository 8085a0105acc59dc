import { places } from '../places/all-places.ts';
import { describePlaces } from '../places/describe-places.ts';

// The other files of this folder look at each dialog in its first look.
describePlaces(places, { inOtherLook: true });
