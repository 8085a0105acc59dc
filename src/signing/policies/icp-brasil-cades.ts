/**
 * ICP-Brasil's policies for CAdES (DOC-ICP-15.03) whose signing period has not ended.
 *
 * Source: the policy files at http://politicas.icpbrasil.gov.br/, named by profile and version. `hash` is the file's
 * own signPolicyHash, H(signPolicyHashAlg ‖ signPolicyInfo), not the digest of the file.
 */
import { TERMS_OF_2015, TERMS_OF_2025, type PolicyRow } from './policy-files.ts';

/** Oldest version of a profile first. */
export const ICP_BRASIL_CADES = [
  {
    profile: 'AD-RB',
    version: '2.2',
    oid: '2.16.76.1.7.1.1.2.2',
    hash: '0f6fa2c6281981716c95c79899039844523b1c61c2c962289cdac7811feee29e',
    signingPeriod: { from: '2016-04-27', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RB',
    version: '2.3',
    oid: '2.16.76.1.7.1.1.2.3',
    hash: 'b16e88bbf77322a67995b79078778ed3d0ea7c88587b6f6d518b715e8f76a3d5',
    signingPeriod: { from: '2018-05-14', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RB',
    version: '2.4',
    oid: '2.16.76.1.7.1.1.2.4',
    hash: '1f3c904c44c392feef447e21faa7a04e85d9c0153346320f557b7042af5dcf13',
    signingPeriod: { from: '2025-06-12', to: '2037-10-22' },
    terms: TERMS_OF_2025,
  },
  {
    profile: 'AD-RT',
    version: '2.2',
    oid: '2.16.76.1.7.1.2.2.2',
    hash: '2fc28c6155a0574558d92c674d47158cdadb1144eaaeafda1cd76dba967a6774',
    signingPeriod: { from: '2016-04-27', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RT',
    version: '2.3',
    oid: '2.16.76.1.7.1.2.2.3',
    hash: '80dfe81e2a8ae762cd360253722922332ee10164d992156d847c47c8fb879cd2',
    signingPeriod: { from: '2018-05-14', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RT',
    version: '2.4',
    oid: '2.16.76.1.7.1.2.2.4',
    hash: 'fa59dca6d9c0e808eb7397b2de800cce5b0e4da2c42e2e5ef2496a2ce6badcb7',
    signingPeriod: { from: '2025-06-12', to: '2037-10-22' },
    terms: TERMS_OF_2025,
  },
  {
    profile: 'AD-RV',
    version: '2.2',
    oid: '2.16.76.1.7.1.3.2.2',
    hash: 'ff2727cea8785691c60676ce240c7bf79e1586b3751d2d30cbe13601b796c69b',
    signingPeriod: { from: '2016-04-27', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RV',
    version: '2.3',
    oid: '2.16.76.1.7.1.3.2.3',
    hash: '08ab9799a528e211478ef5003e4cec9c337ca82838de1d6a7372c8789934ad4b',
    signingPeriod: { from: '2018-05-14', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RV',
    version: '2.4',
    oid: '2.16.76.1.7.1.3.2.4',
    hash: 'ac8d3299189a58f88ec938d1b5918f65bd9d1b22e1d1a32b998f3fdf07ec3342',
    signingPeriod: { from: '2025-06-12', to: '2037-10-22' },
    terms: TERMS_OF_2025,
  },
  {
    profile: 'AD-RC',
    version: '2.2',
    oid: '2.16.76.1.7.1.4.2.2',
    hash: '93dde2288c02c4d7b674402871b4328272d4bbc791dbffb5bd6061d812cfe609',
    signingPeriod: { from: '2016-04-27', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RC',
    version: '2.3',
    oid: '2.16.76.1.7.1.4.2.3',
    hash: '2106ea59ccc2d314e5b7f1c75506a03f3b90bd5eb636b48075d6b60e7489bf18',
    signingPeriod: { from: '2018-05-14', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RC',
    version: '2.4',
    oid: '2.16.76.1.7.1.4.2.4',
    hash: 'ab0dd337580f7ccd6244e30f2a29f2e97614ad411838a0a1179d479504f5522b',
    signingPeriod: { from: '2025-06-12', to: '2037-10-22' },
    terms: TERMS_OF_2025,
  },
  {
    profile: 'AD-RA',
    version: '2.3',
    oid: '2.16.76.1.7.1.5.2.3',
    hash: '3a339c7ec1d47eac0d04b4d06377d4fd5b417b367e57890c3e890475922f2669',
    signingPeriod: { from: '2016-04-27', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RA',
    version: '2.4',
    oid: '2.16.76.1.7.1.5.2.4',
    hash: 'e21a476b65eb647ad4056b7de3d3513a8b14f6a8de676d681fa362066eb0b628',
    signingPeriod: { from: '2018-05-14', to: '2029-03-02' },
    terms: TERMS_OF_2015,
  },
  {
    profile: 'AD-RA',
    version: '2.5',
    oid: '2.16.76.1.7.1.5.2.5',
    hash: '0531ee338acb53364c8b316a11d90423ee33e714cb365d9c4562b90fa47d9099',
    signingPeriod: { from: '2025-06-12', to: '2037-10-22' },
    terms: TERMS_OF_2025,
  },
] as const satisfies readonly PolicyRow[];
