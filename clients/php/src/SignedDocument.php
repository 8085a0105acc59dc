<?php

declare(strict_types=1);

namespace Sinete;

/** The outcome for one document. */
final class SignedDocument
{
    /**
     * @param string|Content $source the given document
     * @param string $status `SIGNED` or `ERROR`
     */
    public function __construct(
        public readonly string|Content $source,
        public readonly string $status,
        public readonly ?string $errorCode,
        public readonly ?string $errorDetail,
        private readonly Sinete $client,
        private readonly string $tcn,
        private readonly string $id,
    ) {
    }

    /** The signed document, or the signature. Throws with the reason when it was not signed. */
    public function download(): string
    {
        $this->requireSignature();
        return $this->client->download($this->tcn, $this->id);
    }

    /** Writes the result to a file, piece by piece. */
    public function save(string $path): void
    {
        $this->requireSignature();
        $this->client->save($this->tcn, $this->id, $path);
    }

    private function requireSignature(): void
    {
        if ($this->status !== 'SIGNED') {
            $detail = $this->errorDetail ?? Content::nameOf($this->source) . ' was not signed.';
            throw new SineteError('INPUT_INVALID', $detail);
        }
    }
}
