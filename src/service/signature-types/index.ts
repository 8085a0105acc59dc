/** Types of signatures, and the names of their results. It imports almost nothing, so that a command line loads little. */
export {
  resultFileName,
  resultMediaType,
  signatureForm,
  type ResultMediaType,
  type SignatureType,
} from './signature-types.ts';
