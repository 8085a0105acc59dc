import iconAddress from '../../../assets/icon.svg';

/** The product's mark. Its name stands beside it, so it is silent to a screen reader. */
export function Logo({ size }: { readonly size: number }) {
  return <img src={iconAddress} width={size} height={size} alt="" />;
}
