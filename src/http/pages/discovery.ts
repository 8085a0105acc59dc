import type { RequestHandler } from 'express';

/** Public facts about this instance: nothing about users. */
export interface Product {
  readonly name: string;
  readonly version: string;
  /** Random id of this run: tells two instances, or two runs, apart. */
  readonly instance: string;
}

/** `GET /.well-known/sinete`: how a page or a program finds the helper. */
export function discover({ name, version, instance }: Product): RequestHandler {
  return (_request, response) => {
    response.json({ name, version, api_versions: ['0'], instance });
  };
}
