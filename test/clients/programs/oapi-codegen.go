// Signs a PDF with oapi-codegen's client: create, upload, query, download.
package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"os"

	"sinete/client"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func form(path string) (*bytes.Buffer, string) {
	content, err := os.ReadFile(path)
	check(err)
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	part, err := writer.CreateFormFile("document", "contract.pdf")
	check(err)
	_, err = part.Write(content)
	check(err)
	check(writer.Close())
	return &body, writer.FormDataContentType()
}

func main() {
	api, err := client.NewClientWithResponses(os.Args[1])
	check(err)
	ctx := context.Background()
	source := client.CreateTransactionDocumentsSource("UPLOAD_REFERENCE")
	created, err := api.CreateTransactionWithResponse(ctx, nil, client.CreateTransaction{Type: "PAdES", DocumentsSource: &source})
	check(err)
	tcn := created.JSON201.Tcn
	body, contentType := form(os.Args[2])
	_, err = api.UploadToOnlySettingWithBodyWithResponse(ctx, tcn, "eot", contentType, body)
	check(err)
	wait := int64(60)
	answer, err := api.QueryTransactionWithResponse(ctx, tcn, &client.QueryTransactionParams{Wait: &wait})
	check(err)
	signed, err := api.DownloadDocumentWithResponse(ctx, tcn, answer.JSON200.Documents[0].Id)
	check(err)
	check(os.WriteFile(os.Args[3], signed.Body, 0o600))
}
