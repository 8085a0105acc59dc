// Signs a PDF with ogen's client: create, upload, query, download.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/ogen-go/ogen/http"
	"github.com/ogen-go/ogen/ogenerrors"
	"sinete/client"
)

// noCredentials is the owner's own program.
type noCredentials struct{ client.SecuritySource }

func (noCredentials) AccessToken(context.Context, client.OperationName) (client.AccessToken, error) {
	return client.AccessToken{}, ogenerrors.ErrSkipClientSecurity
}
func (noCredentials) ApplicationSecret(context.Context, client.OperationName) (client.ApplicationSecret, error) {
	return client.ApplicationSecret{}, ogenerrors.ErrSkipClientSecurity
}
func (noCredentials) PersonPassword(context.Context, client.OperationName) (client.PersonPassword, error) {
	return client.PersonPassword{}, ogenerrors.ErrSkipClientSecurity
}
func (noCredentials) ClientSecret(context.Context, client.OperationName) (client.ClientSecret, error) {
	return client.ClientSecret{}, ogenerrors.ErrSkipClientSecurity
}
func (noCredentials) OAuth2(context.Context, client.OperationName) (client.OAuth2, error) {
	return client.OAuth2{}, ogenerrors.ErrSkipClientSecurity
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	api, err := client.NewClient(os.Args[1], noCredentials{})
	check(err)
	ctx := context.Background()
	source := client.NewOptCreateTransactionDocumentsSource("UPLOAD_REFERENCE")
	made, err := api.CreateTransaction(ctx, &client.CreateTransaction{Type: "PAdES", DocumentsSource: source}, client.CreateTransactionParams{})
	check(err)
	created, ok := made.(*client.CreatedTransactionHeaders)
	if !ok {
		check(fmt.Errorf("create: %T %v", made, made))
	}
	tcn := created.Response.Tcn
	input, err := os.Open(os.Args[2])
	check(err)
	file := client.UploadToOnlySettingReq{Document: client.NewOptMultipartFile(http.MultipartFile{Name: "contract.pdf", File: input})}
	_, err = api.UploadToOnlySetting(ctx, client.NewOptUploadToOnlySettingReq(file), client.UploadToOnlySettingParams{Tcn: tcn, DocumentID: "eot"})
	check(err)
	queried, err := api.QueryTransaction(ctx, client.QueryTransactionParams{Tcn: tcn, Wait: client.NewOptInt64(60)})
	check(err)
	answer, ok := queried.(*client.TransactionHeaders)
	if !ok {
		check(fmt.Errorf("query: %T %v", queried, queried))
	}
	result, err := api.DownloadDocument(ctx, client.DownloadDocumentParams{Tcn: tcn, DocumentID: answer.Response.Documents[0].ID})
	check(err)
	signed, ok := result.(*client.DownloadDocumentOKApplicationPdfHeaders)
	if !ok {
		check(fmt.Errorf("download: %T %v", result, result))
	}
	output, err := os.Create(os.Args[3])
	check(err)
	_, err = io.Copy(output, signed.Response.Data)
	check(err)
	check(output.Close())
}
