import type { Request, RequestHandler, Response } from 'express';
import { aliasFor, toPem } from '../../service/certificates/index.ts';
import { isTaxpayerNumber } from '../../service/users/index.ts';
import { doorHandler, identifyDoor, readDoorBody } from '../authorization/door.ts';
import { OAuthRefusal, readParameters } from '../authorization/oauth-library.ts';
import type { AuthorizationServices } from '../authorization/operations.ts';
import { asRefusal } from '../authorization/token-model.ts';
import { withBasicClient } from '../authorization/token.ts';
import { attemptOriginOf, hangUpOf, isRemote } from '../guard-request.ts';
import { readSignatureRequest } from './read-hashes.ts';

/** `POST /v0/oauth/signature`: signs the hashes of a call; the same call answers the same signatures. */
export function signPscHashes(identity: AuthorizationServices): RequestHandler {
  return doorHandler(identity, async (request, response) => {
    const bearer = await identifyDoor(identity, request, response);
    const fields = await readDoorBody(request);
    expectOwnClient(fields, bearer.clientId);
    const { certificateAlias, hashes, signatureAlgorithm } = readSignatureRequest(fields);
    const { requester, authority, grant } = bearer;
    const call = {
      door: 'psc' as const,
      requester,
      authority,
      grant,
      certificateAlias,
      signatureAlgorithm,
      hashes: hashes.map(({ hash }) => hash),
    };
    const signed = await identity.hashCalls.sign(call, hangUpOf(response)).catch((error: unknown) => {
      // The caller has hung up, so there is nobody to answer.
      if (!response.closed) throw error;
    });
    if (signed === undefined) return;
    response.json({
      certificate_alias: aliasFor('whole', signed.certificateAlias),
      signatures: hashes.map(({ names }, index) => ({ ...names, raw_signature: signed.signatures[index] })),
    });
  });
}

/** `GET /v0/oauth/certificate-discovery`: the certificates of the token's person, as PEM. */
export function discoverCertificates(identity: AuthorizationServices): RequestHandler {
  return doorHandler(identity, async (request, response) => {
    const { grant } = await identifyDoor(identity, request, response);
    const { certificate_alias: alias } = readParameters(request.query).parameters;
    const all = await identity.hashCalls.certificates(grant.username ?? '');
    const found = alias === undefined ? all : all.filter((one) => one.alias === alias || one.fingerprint === alias);
    response.json({
      status: found.length === 0 ? 'N' : 'S',
      certificates: found.map((one) => ({ alias: one.alias, certificate: toPem('CERTIFICATE', one.certificate) })),
    });
  });
}

/** `POST /v0/oauth/user-discovery`: whether the application may ask this person. `slots` is always a list. */
export function discoverPerson(identity: AuthorizationServices): RequestHandler {
  return doorHandler(identity, async (request, response) => {
    const fields = await readDoorBody(request);
    const clientId = await authenticateClient(identity, fields, request, response);
    const username = readNumber(fields);
    const selected = isRemote(response) ? undefined : (await identity.selectedUser())?.username;
    const slot = await identity.hashCalls.discover({ clientId, username, selected });
    const slots = slot === undefined ? [] : [{ slot_alias: slot, label: 'Sinete' }];
    response.json({ status: slot === undefined ? 'N' : 'S', slots });
  });
}

async function authenticateClient(
  { applications }: AuthorizationServices,
  fields: Readonly<Record<string, unknown>>,
  request: Request,
  response: Response,
): Promise<string> {
  const { parameters } = readParameters(fields);
  const { client_id: clientId = '', client_secret: secret = '' } = withBasicClient(request, parameters);
  const application = await applications
    .authenticate(clientId, secret, attemptOriginOf(response))
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  if (application === undefined) throw new OAuthRefusal('invalid_client', 'Client id or secret is wrong.');
  return application.clientId;
}

/** The number of the body. Older programs name it `cpf` or `cnpj`. */
function readNumber(fields: Readonly<Record<string, unknown>>): string {
  const kind = typeof fields.user_cpf_cnpj === 'string' ? fields.user_cpf_cnpj.toUpperCase() : undefined;
  const number = fields.val_cpf_cnpj ?? fields.cpf ?? fields.cnpj;
  const isKnown = kind === undefined || kind === 'CPF' || kind === 'CNPJ';
  if (isKnown && typeof number === 'string' && isTaxpayerNumber(number)) return number;
  const description = 'Send user_cpf_cnpj with CPF or CNPJ, and val_cpf_cnpj with its digits.';
  throw new OAuthRefusal('invalid_request', description);
}

/** A body that names an application other than the token's was meant for another token. */
function expectOwnClient({ client_id: named }: Readonly<Record<string, unknown>>, clientId: string | undefined): void {
  if (named === undefined || named === '' || named === clientId) return;
  throw new OAuthRefusal('invalid_token', 'This token belongs to another application.', { status: 401 });
}
