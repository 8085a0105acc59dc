import { describePlaces } from '../places/describe-places.ts';
import { documentPlaces } from '../places/document-places.ts';
import { firstRunPlaces } from '../places/first-run-places.ts';
import { signPlaces } from '../places/sign-places.ts';

describePlaces([...firstRunPlaces, ...documentPlaces, ...signPlaces]);
