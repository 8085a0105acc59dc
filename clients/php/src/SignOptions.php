<?php

declare(strict_types=1);

namespace Sinete;

/** What is asked of a signature. */
final class SignOptions
{
    /**
     * @param string $type `CMS-attached`, `CMS-detached`, `CAdES-attached`, `CAdES-detached`, `PDFSignature` or `PAdES`
     * @param string|null $policy a level such as `B-T`, or an ICP-Brasil policy such as `AD-RB`
     * @param string|null $certificate alias of a certificate, or the CPF or CNPJ of its holder
     * @param array<string, mixed>|null $setting a signature setting: reason, stamp, …
     * @param array<string, mixed> $more further fields of the create request
     */
    public function __construct(
        public readonly string $type = 'PAdES',
        public readonly ?string $policy = null,
        public readonly ?string $certificate = null,
        public readonly ?array $setting = null,
        public readonly ?string $notificationCallback = null,
        public readonly array $more = [],
    ) {
    }

    /** The body of the create request. @internal */
    public function body(): string
    {
        $fields = [
            'type' => $this->type,
            'policy' => $this->policy,
            'certificate_alias' => $this->certificate,
            'signature_settings' => $this->setting,
            'notification_callback' => $this->notificationCallback,
            'documents_source' => 'UPLOAD_REFERENCE',
            ...$this->more,
        ];
        $given = array_filter($fields, static fn (mixed $value): bool => $value !== null);
        return json_encode($given, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    }
}
